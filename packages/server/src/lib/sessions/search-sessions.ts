import { setImmediate } from 'node:timers/promises';
import type { ExpressionBuilder } from 'kysely';
import type { EndUserCaller } from '../auth/caller.ts';
import { hasWords } from '../events/search-index.ts';
import { foldText } from '../events/search-text.ts';
import type { Position } from '../http/paging.ts';
import type { TakeReadBytes } from '../limits/read-bytes.ts';
import type { Services } from '../services.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import type { SessionFilter } from './sessions.ts';

type SearchServices = Pick<Services, 'config' | 'sessions' | 'store'>;

/** Sessions read at a time. */
const batchSize = 64;
/** Bytes of logs that one SQL query searches. Between queries, the server handles other requests. */
const stepBytes = 1_048_576;
/** Texts of a large session that one SQL query searches. By default, a text has 64 Ki characters. */
const textsPerStep = 16;
/** Bytes that are added to the log of each session, for the cost of reading its row. */
const sessionBytes = 1_024;

/** One page of search results. */
export interface SearchResult {
  readonly rows: readonly SessionsTable[];
  /** Position of the last session that was searched; null if all sessions were searched. */
  readonly next: Position | null;
}

/**
 * Searches the sessions of an end user for a text that starts at the start of a word, or anywhere in
 * scripts without spaces. The index finds the sessions with its words. They are searched, newest first, in steps that do not block the event loop for
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

  async #scan(
    caller: EndUserCaller,
    filter: SessionFilter,
    takeBytes: TakeReadBytes,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const text = foldText(filter.query);
    const rows: SessionsTable[] = [];
    let remainingBytes = this.#services.config.limits.request.search_bytes;
    let next = filter.position;
    const owner = { agent_id: caller.agentId, external_user_id: caller.externalUserId };
    const condition = hasWords(this.#services.store.db, owner, text);
    for (;;) {
      const page = { ...filter, position: next, limit: batchSize };
      const batch = await this.#services.sessions.list(caller, page, condition);
      for (const step of stepsOf(batch)) {
        if (signal.aborted) return { rows, next };
        try {
          await takeBytes(sizeOf(step));
        } catch (error) {
          if (next === filter.position) throw error;
          return { rows, next };
        }
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
    const [first] = sessions;
    if (first && sizeOf(sessions) > stepBytes) {
      return new Set((await this.#matches(first.id, text)) ? [first.id] : []);
    }
    const rows = await this.#services.store.db
      .selectFrom('session_texts')
      .select('session_id')
      .distinct()
      .where(
        'session_id',
        'in',
        sessions.map(({ id }) => id),
      )
      .where((builder) => builder(positionOfText(builder, text), '>', 0))
      .execute();
    return new Set(rows.map((row) => row.session_id));
  }

  /** Searches a session whose log is larger than a step, in steps of its texts. */
  async #matches(sessionId: string, text: string): Promise<boolean> {
    for (let after = -1; ; ) {
      const rows = await this.#services.store.db
        .selectFrom('session_texts')
        .select((builder) => ['seq', positionOfText(builder, text).as('position')])
        .where('session_id', '=', sessionId)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(textsPerStep)
        .execute();
      if (rows.some(({ position }) => position > 0)) return true;
      const last = rows.at(textsPerStep - 1);
      if (!last) return false;
      after = Number(last.seq);
      await setImmediate();
    }
  }
}

/** Uses `instr`, because `like` blocks the event loop for seconds with repetitive patterns. */
function positionOfText({ fn, val }: ExpressionBuilder<Schema, 'session_texts'>, text: string) {
  return fn<number>('instr', ['text', val(text)]);
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
