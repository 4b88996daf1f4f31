import type { LogEvent } from '@inlay/protocol';
import type { DiagnosticListener } from '../diagnostics.ts';
import type { Platform } from '../http/platform.ts';
import { type PersistOptions, untilDone } from '../until-done.ts';
import { readEventPage, readSession } from '../wire/answers.ts';
import { readEvent } from '../wire/read-event.ts';
import type { LocalEvent } from './local-events.ts';

/** Enough to fill a screen; the rest of the log follows in larger pages. */
const firstPage = 50;
const furtherPages = 200;

export interface HistoryOptions {
  readonly platform: Platform;
  readonly sessionId: string;
  readonly persist: PersistOptions;
  readonly onEvent: (event: LocalEvent) => void;
  readonly onDiagnostic: DiagnosticListener;
}

/**
 * Reads a session and the newest page of its log. Returns the `seq` after which the stream takes
 * over, and what reads the rest.
 *
 * The newest page first, and not a replay of the stream from the beginning: a long conversation then
 * opens as fast as a short one. There is no gap, because the stream resumes exactly after the newest
 * event of that page, and nothing is ever put into a log before it.
 */
export async function loadHistory(
  options: HistoryOptions,
): Promise<{ lastSeq: number; loadOlder: () => Promise<void> }> {
  const { platform, sessionId, persist, onEvent } = options;
  const path = `/sessions/${encodeURIComponent(sessionId)}`;
  const { signal } = persist;
  const [session, newest] = await untilDone(
    () => Promise.all([platform.call(path, readSession, { signal }), readPage(options, firstPage)]),
    persist,
  );
  const { lastSeq } = newest;
  onEvent({ type: 'local.session', session });
  onEvent({ type: 'local.history', ...newest.told, first: true, lastSeq });
  return {
    lastSeq,
    async loadOlder() {
      let oldest = newest.told.events[0]?.seq ?? Infinity;
      for (let next = newest.next; next !== null && !signal.aborted; ) {
        const cursor = next;
        const page = await untilDone(() => readPage(options, furtherPages, cursor), persist);
        // A cursor that counts from the newest event slips when one is added meanwhile.
        const events = page.told.events.filter((event) => event.seq < oldest);
        onEvent({ type: 'local.history', ...page.told, events, first: false, lastSeq });
        oldest = events[0]?.seq ?? oldest;
        next = page.next;
      }
    },
  };
}

async function readPage(options: HistoryOptions, limit: number, page?: string) {
  const { platform, sessionId, persist, onDiagnostic } = options;
  const answer = await platform.call(
    `/sessions/${encodeURIComponent(sessionId)}/events`,
    readEventPage,
    { query: { order: 'desc', limit, page }, signal: persist.signal },
  );
  const events: LogEvent[] = [];
  let lastSeq = 0;
  // Newest first on the wire, oldest first in the story.
  for (const value of answer.data.reverse()) {
    const read = readEvent(value);
    if (read.kind === 'log') events.push(read.event);
    if (read.kind === 'unknown') {
      onDiagnostic({ type: 'unknown_event', eventType: read.type });
    } else if (read.kind === 'invalid') {
      onDiagnostic({ type: 'invalid_event', fault: read.fault });
    }
    // Also of one that could not be read: the stream would only send it again.
    lastSeq = Math.max(
      lastSeq,
      'seq' in read ? read.seq : 0,
      read.kind === 'log' ? read.event.seq : 0,
    );
  }
  const next = answer.next_page ?? answer.next_cursor;
  return { told: { events, more: next !== null }, next, lastSeq };
}
