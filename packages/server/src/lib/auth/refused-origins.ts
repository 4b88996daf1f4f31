import { sql } from 'kysely';
import { dayMs, hourMs } from '../clock.ts';
import { explainPattern } from '../config/origin-pattern.ts';
import { describeError } from '../log/logger.ts';
import type { ServiceOptions } from '../service-options.ts';

/** Maximum origins of an agent that are counted by name in an hour. Users can send any origin. */
const maximumOrigins = 20;
/** Longest origin that is counted by name. */
const maximumLength = 261;
/** Milliseconds from a refused request until it is stored. */
const storeDelay = 5_000;
/**
 * Maximum look-ups of tokens per second: everyone can send made-up tokens. Requests beyond it are not
 * counted.
 */
const maximumLookUps = 10;
/** The origin of rows that count all origins without a name. */
const others = '';

type Deps = Pick<ServiceOptions, 'store' | 'clock' | 'log'>;

interface RefusedRequests {
  requests: number;
  lastAt: number;
}

/**
 * Counts the requests of pages that were refused because of their origin, by agent, so that operators
 * notice a missing origin. Only requests with a valid token or publishable key of the agent count.
 */
export class RefusedOrigins {
  readonly #deps: Deps;
  /** Requests that are not stored yet, by agent and origin. */
  #pending = new Map<string, Map<string, RefusedRequests>>();
  #cancel: (() => void) | null = null;
  #lookUps = { since: 0, count: 0 };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Counts a request of a page. */
  count(agentId: string, origin: string): void {
    const counts = this.#pending.get(agentId) ?? new Map<string, RefusedRequests>();
    this.#pending.set(agentId, counts);
    const isNamed = counts.has(origin) || (counts.size < maximumOrigins && isOrigin(origin));
    const name = isNamed ? origin : others;
    const requests = (counts.get(name)?.requests ?? 0) + 1;
    counts.set(name, { requests, lastAt: this.#deps.clock.now() });
    this.#cancel ??= this.#deps.clock.after(storeDelay, () => void this.flush());
  }

  /**
   * Counts a request that was refused before its token was looked up. The response does not wait for the
   * look-up, so that its delay does not reveal whether the token is valid.
   *
   * @param find Looks up the token; rejects, or resolves with null, if it is not valid.
   */
  countLater(origin: string, find: () => Promise<{ caller: { agentId: string } } | null>): void {
    const now = this.#deps.clock.now();
    if (now - this.#lookUps.since >= 1000) this.#lookUps = { since: now, count: 0 };
    this.#lookUps.count += 1;
    if (this.#lookUps.count > maximumLookUps) return;
    find().then(
      (token) => token && this.count(token.caller.agentId, origin),
      () => {},
    );
  }

  /** Stores the requests that were counted. Logs a failure, and then drops them. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    const pending = this.#pending;
    this.#pending = new Map();
    for (const [agentId, counts] of pending) {
      await this.#add(agentId, counts).catch((error: unknown) =>
        this.#deps.log.warn('refused origins not stored', {
          agent: agentId,
          ...describeError(error),
        }),
      );
    }
  }

  /**
   * Returns the refused requests of an agent in the last 24 hours, by origin, the most first. The origin is
   * empty for all origins above the maximum of an hour. Requests at other processes are included after
   * five seconds.
   */
  async list(agentId: string): Promise<{ origin: string; requests: number; lastAt: number }[]> {
    await this.flush();
    const rows = await this.#deps.store.db
      .selectFrom('refused_origins')
      .select(({ fn }) => [
        'origin',
        fn.sum<number>('requests').as('requests'),
        fn.max('last_at').as('lastAt'),
      ])
      .where('agent_id', '=', agentId)
      .where('hour', '>', this.#deps.clock.now() - dayMs)
      .groupBy('origin')
      .orderBy('requests', 'desc')
      .orderBy('origin')
      .execute();
    return rows;
  }

  close(): Promise<void> {
    return this.flush();
  }

  async #add(agentId: string, counts: ReadonlyMap<string, RefusedRequests>): Promise<void> {
    const now = this.#deps.clock.now();
    const hour = now - (now % hourMs);
    const { store } = this.#deps;
    await store.transaction(async (db) => {
      await store.lock(db, `refused_origins:${agentId}`);
      const stored = await db
        .selectFrom('refused_origins')
        .select('origin')
        .where('agent_id', '=', agentId)
        .where('hour', '=', hour)
        .execute();
      const names = new Set(stored.map(({ origin }) => origin)).add(others);
      for (const [name, { requests, lastAt }] of counts) {
        const isNamed = names.has(name) || names.size <= maximumOrigins;
        const origin = isNamed ? name : others;
        names.add(origin);
        await db
          .insertInto('refused_origins')
          .values({ agent_id: agentId, hour, origin, requests, last_at: lastAt })
          .onConflict((conflict) =>
            conflict.columns(['agent_id', 'hour', 'origin']).doUpdateSet({
              requests: sql`refused_origins.requests + excluded.requests`,
              last_at: sql`excluded.last_at`,
            }),
          )
          .execute();
      }
    });
  }
}

/** Whether a header is an origin as a browser sends it. Pages in sandboxed frames send `null`. */
function isOrigin(header: string): boolean {
  if (header === 'null') return true;
  return header.length <= maximumLength && !header.includes('*') && explainPattern(header) === null;
}
