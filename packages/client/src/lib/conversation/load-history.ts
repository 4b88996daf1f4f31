import type { LogEvent } from '@inlay/protocol';
import { sessionPath } from '../http/platform.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import { untilDone } from '../until-done.ts';
import { readEventPage, readSession } from '../wire/answers.ts';
import { readEvent, reportUnread, seqOf } from '../wire/read-event.ts';
import type { LocalEvent } from './local-events.ts';

/** Enough to fill a screen; the rest of the log follows in larger pages. */
const firstPage = 50;
const furtherPages = 200;

export interface HistoryOptions extends StreamContext {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: LocalEvent) => void;
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
  const { platform, sessionId, signal, onEvent } = options;
  const persist = { ...options, outlastDenial: true };
  const path = sessionPath(sessionId);
  const [session, newest] = await untilDone(
    () => Promise.all([platform.call(path, readSession, { signal }), readPage(options, firstPage)]),
    persist,
  );
  const { lastSeq, events, next } = newest;
  const tell = (page: LogEvent[], cursor: string | null, first: boolean) =>
    onEvent({ type: 'local.history', events: page, more: cursor !== null, first, lastSeq });
  onEvent({ type: 'local.session', session });
  tell(events, next, true);
  return {
    lastSeq,
    async loadOlder() {
      let oldest = events[0]?.seq ?? Infinity;
      for (let cursor = next; cursor !== null && !signal.aborted; ) {
        const at = cursor;
        const page = await untilDone(() => readPage(options, furtherPages, at), persist);
        // A cursor that counts from the newest event slips when one is added meanwhile.
        const older = page.events.filter((event) => event.seq < oldest);
        tell(older, page.next, false);
        oldest = older[0]?.seq ?? oldest;
        cursor = page.next;
      }
    },
  };
}

async function readPage(options: HistoryOptions, limit: number, page?: string) {
  const { platform, sessionId, signal, onDiagnostic } = options;
  const answer = await platform.call(`${sessionPath(sessionId)}/events`, readEventPage, {
    query: { order: 'desc', limit, page },
    signal,
  });
  const events: LogEvent[] = [];
  let lastSeq = 0;
  // Newest first on the wire, oldest first in the story.
  for (const value of answer.data.reverse()) {
    const read = readEvent(value);
    reportUnread(read, onDiagnostic);
    if (read.kind === 'log') events.push(read.event);
    // Also of one that could not be read: the stream would only send it again.
    lastSeq = Math.max(lastSeq, seqOf(read));
  }
  return { events, lastSeq, next: answer.next_page ?? answer.next_cursor };
}
