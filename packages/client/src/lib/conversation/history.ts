import type { LogEvent } from '@inlay/protocol';
import { readEvent, seqOf } from '@inlay/protocol/read-event';
import { reportSkipped } from '../diagnostics.ts';
import { sessionPath } from '../http/api.ts';
import { readEventPage, readSession } from '../responses/read-responses.ts';
import { retry } from '../retry.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import type { ConversationState } from './state.ts';
import type { ConversationStore } from './store.ts';

/** Number of events in the newest page: enough to fill a screen. */
const newestPageSize = 50;
/** Number of events in each earlier page. */
const earlierPageSize = 200;

interface HistoryOptions extends StreamContext {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly store: ConversationStore;
}

export interface History {
  /** `seq` after which the stream begins. */
  readonly lastSeq: number;
  /** Loads an earlier page, if there is one. */
  loadEarlier(): Promise<void>;
  /** Loads the pages that are needed to show the current state of the conversation. */
  loadRequired(): Promise<void>;
}

/**
 * Loads a session and the newest page of its log.
 *
 * A long conversation opens as fast as a short one, because the log is not replayed from its
 * beginning. There is no gap: the stream resumes after the newest event of that page.
 */
export async function loadHistory(options: HistoryOptions): Promise<History> {
  const { platform, sessionId, signal, store } = options;
  const retryOptions = { ...options, retryWhileDenied: true };
  const path = sessionPath(sessionId);
  const [session, newest] = await retry(
    () =>
      Promise.all([
        platform.call(path, readSession, { signal }),
        readPage(options, newestPageSize),
      ]),
    retryOptions,
  );
  const { lastSeq } = newest;
  let { next: cursor } = newest;
  let oldest = newest.events[0]?.seq ?? Infinity;
  const addPage = (events: readonly LogEvent[], first: boolean) =>
    store.dispatch({ type: 'local.history', events, more: cursor !== null, first, lastSeq });
  store.dispatch({ type: 'local.session', session });
  addPage(newest.events, true);
  const readEarlier = async (pageCursor: string) => {
    store.dispatch({ type: 'local.loading', loading: true });
    try {
      const page = await retry(() => readPage(options, earlierPageSize, pageCursor), retryOptions);
      // A page may overlap the previous one when events were added meanwhile.
      const events = page.events.filter(({ seq }) => seq < oldest);
      oldest = events[0]?.seq ?? oldest;
      cursor = page.next;
      addPage(events, false);
    } finally {
      store.dispatch({ type: 'local.loading', loading: false });
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
    async loadRequired() {
      while (cursor !== null && isInsufficient(store.state)) await loadEarlier();
    },
  };
}

async function readPage(options: HistoryOptions, limit: number, page?: string) {
  const { platform, sessionId, signal, onDiagnostic } = options;
  const response = await platform.call(`${sessionPath(sessionId)}/events`, readEventPage, {
    query: { order: 'desc', limit, page },
    signal,
  });
  const events: LogEvent[] = [];
  let lastSeq = 0;
  // The response has the newest event first.
  for (const value of response.data.reverse()) {
    const read = readEvent(value);
    reportSkipped(read, onDiagnostic);
    if (read.kind === 'log') events.push(read.event);
    // Includes skipped events, so that the stream does not send them again.
    lastSeq = Math.max(lastSeq, seqOf(read));
  }
  return { events, lastSeq, next: response.next_page ?? response.next_cursor };
}

/** Whether the loaded entries lack a user message, or a tool call that waits for the user. */
function isInsufficient({ entries, stopReason }: ConversationState): boolean {
  const waiting = (stopReason?.type === 'requires_action' && stopReason.event_ids) || [];
  return (
    entries.every(({ kind }) => kind !== 'user') ||
    waiting.some((id) => entries.every((entry) => entry.id !== id))
  );
}
