import { setImmediate } from 'node:timers/promises';
import type { EndUserCaller } from '../auth/caller.ts';
import { foldText } from '../events/search-text.ts';
import type { Position } from '../http/paging.ts';
import type { Services } from '../services.ts';
import type { SessionsTable } from '../store/schema.ts';
import type { SessionFilter } from './sessions.ts';

type SearchServices = Pick<Services, 'config' | 'sessions' | 'store'>;

/** Sessions read at a time. */
const batchSize = 64;
/** Bytes of logs that one SQL query searches. Between queries, the server handles other requests. */
const stepBytes = 1_048_576;
/** Bytes that are added to the log of each session, for the cost of reading its row. */
const sessionBytes = 1_024;

/** One page of search results. */
export interface SearchResult {
  readonly rows: readonly SessionsTable[];
  /** Position of the last session that was searched; null if all sessions were searched. */
  readonly next: Position | null;
}

/**
 * Searches the sessions of an end user, newest first, in steps that do not block the event loop for
 * long. One search covers at most `limits.request.search_bytes` of logs, and returns the position
 * from which the next request continues. Searches of the same user run one after another.
 */
export class SessionSearch {
  readonly #services: SearchServices;
  /** The last pending search of each user. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(services: SearchServices) {
    this.#services = services;
  }

  /** @param signal Aborted when the client disconnects. */
  async find(
    caller: EndUserCaller,
    filter: SessionFilter,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const user = `${caller.agentId}:${caller.externalUserId}`;
    const previous = this.#last.get(user) ?? Promise.resolve();
    const result = previous.then(() => this.#scan(caller, filter, signal));
    const settled = result.catch(() => {});
    this.#last.set(user, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(user) === settled) this.#last.delete(user);
    }
  }

  async #scan(
    caller: EndUserCaller,
    filter: SessionFilter,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const text = foldText(filter.query);
    const rows: SessionsTable[] = [];
    let remainingBytes = this.#services.config.limits.request.search_bytes;
    let next = filter.position;
    for (;;) {
      const batch = await this.#services.sessions.list(caller, {
        ...filter,
        position: next,
        limit: batchSize,
      });
      for (const step of stepsOf(batch)) {
        if (signal.aborted) return { rows, next };
        const hits = await this.#findMatches(step, text);
        for (const row of step) {
          if (!hits.has(row.id)) continue;
          if (rows.length === filter.limit) return { rows, next: positionOf(rows.at(-1)) };
          rows.push(row);
        }
        next = positionOf(step.at(-1));
        remainingBytes -= sizeOf(step);
        if (remainingBytes <= 0) return { rows, next };
        await setImmediate();
      }
      if (batch.length < batchSize) return { rows, next: null };
    }
  }

  /** Returns the ids of the sessions whose title or messages contain the text. */
  async #findMatches(
    sessions: readonly SessionsTable[],
    text: string,
  ): Promise<ReadonlySet<string>> {
    const rows = await this.#services.store.db
      .selectFrom('session_texts')
      .select('session_id')
      .distinct()
      .where(
        'session_id',
        'in',
        sessions.map(({ id }) => id),
      )
      // Uses `instr`, because `like` blocks the event loop for seconds with repetitive patterns.
      .where(({ eb, fn, val }) => eb(fn<number>('instr', ['text', val(text)]), '>', 0))
      .execute();
    return new Set(rows.map((row) => row.session_id));
  }
}

/** Splits sessions into groups with at most `stepBytes` of logs; a larger session is a group alone. */
function stepsOf(rows: readonly SessionsTable[]): SessionsTable[][] {
  const steps: SessionsTable[][] = [];
  let size = 0;
  for (const row of rows) {
    const step = steps.at(-1);
    size += sizeOf([row]);
    if (step && size <= stepBytes) {
      step.push(row);
    } else {
      steps.push([row]);
      size = sizeOf([row]);
    }
  }
  return steps;
}

function sizeOf(rows: readonly SessionsTable[]): number {
  return rows.reduce((sum, row) => sum + Number(row.log_bytes) + sessionBytes, 0);
}

function positionOf(row: SessionsTable | undefined): Position | null {
  return row ? { at: Number(row.active_at), id: row.id } : null;
}
