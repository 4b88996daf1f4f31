import type { EndUserCaller } from '../auth/caller.ts';
import { hasWords } from '../events/search-index.ts';
import { foldText } from '../events/search-text.ts';
import type { TakeReadBytes } from '../limits/read-bytes.ts';
import type { Services } from '../services.ts';
import { type SearchResult, scanSessions } from './scan-sessions.ts';
import type { SessionFilter } from './sessions.ts';

type SearchServices = Pick<Services, 'config' | 'sessions' | 'store'>;

/**
 * Searches the sessions of an end user for a text that starts at the start of a word, or anywhere in
 * scripts without spaces. The index finds the sessions with its words, and these are scanned for the
 * text. One search covers at most `limits.request.search_bytes` of logs. Searches of the same user run
 * one after another.
 */
export class SessionSearch {
  readonly #services: SearchServices;
  /** The last pending search of each user. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(services: SearchServices) {
    this.#services = services;
  }

  /**
   * @param takeBytes Counts the bytes of the logs before they are searched. If it rejects after the
   *   first of them, the page ends there.
   * @param signal Aborted when the client disconnects.
   */
  async find(
    caller: EndUserCaller,
    filter: SessionFilter,
    takeBytes: TakeReadBytes,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const user = `${caller.agentId}:${caller.externalUserId}`;
    const previous = this.#last.get(user) ?? Promise.resolve();
    const result = previous.then(() => this.#scan(caller, filter, takeBytes, signal));
    const settled = result.catch(() => {});
    this.#last.set(user, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(user) === settled) this.#last.delete(user);
    }
  }

  #scan(
    caller: EndUserCaller,
    filter: SessionFilter,
    takeBytes: TakeReadBytes,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const { config, sessions, store } = this.#services;
    const text = foldText(filter.query);
    const owner = { agent_id: caller.agentId, external_user_id: caller.externalUserId };
    const condition = hasWords(store.db, owner, text);
    return scanSessions({
      db: store.db,
      list: async (position, limit) => {
        const page = { ...filter, position, limit };
        return { rows: await sessions.list(caller, page, condition), next: null };
      },
      maximumBatch: 100,
      matcher: { parts: [text] },
      position: filter.position,
      limit: filter.limit,
      bytes: config.limits.request.search_bytes,
      takeBytes,
      signal,
    });
  }
}
