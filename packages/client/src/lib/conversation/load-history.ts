import type { LogEvent } from '@inlay/protocol';
import { readEvent, seqOf } from '@inlay/protocol/read-event';
import { reportSkipped } from '../diagnostics.ts';
import { sessionPath } from '../http/api.ts';
import { retry } from '../retry.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import { readEventPage, readSession } from '../wire/answers.ts';
import type { LocalEvent } from './local-events.ts';
import type { ConversationState } from './state.ts';

/** Enough to fill a screen; the rest of the log follows in larger pages. */
const firstPage = 50;
const furtherPages = 200;

export interface HistoryOptions extends StreamContext {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly state: () => ConversationState;
  readonly dispatch: (event: LocalEvent) => void;
}

export interface History {
  /** `seq` after which the stream takes over. */
  readonly lastSeq: number;
  /** Reads the next part before what was read. Nothing happens where there is none. */
  loadEarlier(): Promise<void>;
  /** Reads as much as it takes to know where the conversation stands. */
  loadLacking(): Promise<void>;
}

/**
 * Reads a session and the newest page of its log.
 *
 * The newest page first, and not a replay of the stream from the beginning: a long conversation then
 * opens as fast as a short one, and earlier pages are read when somebody looks for them. There is no
 * gap, because the stream resumes exactly after the newest event of that page, and nothing is ever
 * put into a log before it.
 */
export async function loadHistory(options: HistoryOptions): Promise<History> {
  const { platform, sessionId, signal, dispatch } = options;
  const persist = { ...options, outlastDenial: true };
  const path = sessionPath(sessionId);
  const [session, newest] = await retry(
    () => Promise.all([platform.call(path, readSession, { signal }), readPage(options, firstPage)]),
    persist,
  );
  const { lastSeq } = newest;
  let { next: cursor } = newest;
  let oldest = newest.events[0]?.seq ?? Infinity;
  const addPage = (events: readonly LogEvent[], first: boolean) =>
    dispatch({ type: 'local.history', events, more: cursor !== null, first, lastSeq });
  dispatch({ type: 'local.session', session });
  addPage(newest.events, true);
  const readEarlier = async (at: string) => {
    dispatch({ type: 'local.loading', loading: true });
    try {
      const page = await retry(() => readPage(options, furtherPages, at), persist);
      // A cursor that counts from the newest event slips when one is added meanwhile.
      const events = page.events.filter(({ seq }) => seq < oldest);
      oldest = events[0]?.seq ?? oldest;
      cursor = page.next;
      addPage(events, false);
    } finally {
      dispatch({ type: 'local.loading', loading: false });
    }
  };
  let reading: Promise<void> | null = null;
  const loadEarlier = async () => {
    if (cursor === null) return;
    reading ??= readEarlier(cursor).finally(() => {
      reading = null;
    });
    await reading;
  };
  return {
    lastSeq,
    loadEarlier,
    async loadLacking() {
      while (cursor !== null && lacksStory(options.state())) await loadEarlier();
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
    reportSkipped(read, onDiagnostic);
    if (read.kind === 'log') events.push(read.event);
    // Also of one that could not be read: the stream would only send it again.
    lastSeq = Math.max(lastSeq, seqOf(read));
  }
  return { events, lastSeq, next: answer.next_page ?? answer.next_cursor };
}

/**
 * Whether the part of the log that was read does not say where the conversation stands: it holds
 * nothing that the person said, or not the calls that wait for them.
 */
function lacksStory({ entries, stopReason }: ConversationState): boolean {
  const waiting = (stopReason?.type === 'requires_action' && stopReason.event_ids) || [];
  return (
    entries.every(({ kind }) => kind !== 'user') ||
    waiting.some((id) => entries.every((entry) => entry.id !== id))
  );
}
