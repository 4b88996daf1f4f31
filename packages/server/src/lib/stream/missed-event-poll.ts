import { setImmediate } from 'node:timers/promises';
import { SqliteAdapter, sql } from 'kysely';
import { describeError } from '../log/logger.ts';
import type { ServiceOptions } from '../service-options.ts';
import { executeNamed } from '../store/prepared.ts';
import type { Channel } from './channel.ts';

/** Milliseconds between two polls, unless the bus reports that it may have missed messages. */
const pollInterval = 10_000;
/** Maximum sessions per query. */
const batchSize = 10_000;

type PollServices = Pick<ServiceOptions, 'bus' | 'clock' | 'log' | 'store'>;

/**
 * Compares the open sessions of this process with the store, for events and deletions that the bus did
 * not deliver. A process that shares its store with no other one misses none.
 */
export class MissedEventPoll {
  readonly #services: PollServices;
  readonly #channels: ReadonlyMap<string, Channel>;
  /** Time of the last poll, in milliseconds since the epoch. */
  #polledAt: number;
  #isPolling = false;

  constructor(services: PollServices, channels: ReadonlyMap<string, Channel>) {
    this.#services = services;
    this.#channels = channels;
    this.#polledAt = services.clock.now();
  }

  /** Starts a poll if one is due or the bus may have missed messages, unless one is in progress. */
  poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#catchUp()
      .catch((error: unknown) =>
        this.#services.log.error(
          'open sessions could not be compared with the store',
          describeError(error),
        ),
      )
      .finally(() => {
        this.#isPolling = false;
      });
  }

  async #catchUp(): Promise<void> {
    const { bus, clock } = this.#services;
    const now = clock.now();
    // Absolute, because the clock may have been set back since the last poll.
    const isDue = bus.state !== 'in_process' && Math.abs(now - this.#polledAt) >= pollInterval;
    if (!isDue && !bus.mayHaveMissed(this.#polledAt)) return;
    const open = [...this.#channels.values()];
    for (let index = 0; index < open.length; index += batchSize) {
      await this.#compare(open.slice(index, index + batchSize));
      await setImmediate();
    }
    this.#polledAt = now;
  }

  /** Compares the last `seq` of sessions with one query, which returns only those that differ. */
  async #compare(open: readonly Channel[]): Promise<void> {
    const { db } = this.#services.store;
    const list = JSON.stringify(open.map(({ sessionId, lastSeq }) => [sessionId, lastSeq]));
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    const rows = await executeNamed(
      db,
      sql<{ id: string; seq: number | null }>`
        select open.value ->> 0 as id, sessions.last_seq as seq
        from ${isSqlite ? sql`json_each(${list})` : sql`jsonb_array_elements(${list}::jsonb)`} as open
        left join sessions
          on sessions.id = open.value ->> 0 and sessions.external_user_id <> ''
        where sessions.id is null or sessions.last_seq > cast(open.value ->> 1 as bigint)`,
    );
    for (const { id, seq } of rows) {
      const channel = this.#channels.get(id);
      if (seq === null) channel?.endStreams();
      else await channel?.catchUp(Number(seq));
    }
  }
}
