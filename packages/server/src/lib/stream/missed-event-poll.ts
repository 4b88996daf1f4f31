import { setImmediate } from 'node:timers/promises';
import type { EventLog } from '../events/event-log.ts';
import { describeError } from '../log/logger.ts';
import type { ServiceOptions } from '../service-options.ts';
import { prepare, prepareBySize } from '../store/prepared.ts';
import type { Channel } from './channel.ts';

/** Milliseconds between two polls, unless the bus reports that it may have missed messages. */
const pollInterval = 10_000;
/**
 * Maximum sessions per query. Queries of the embedded store block the event loop, so they are kept
 * short.
 */
const batchSize = 128;
/**
 * Maximum changed sessions per query. The query also returns sessions without a stream in this
 * process.
 */
const pageSize = 1_000;

const findChanged = prepare((db) =>
  db
    .selectFrom('sessions')
    .select(['id', 'updated_at'])
    .where(({ eb, refTuple, tuple }) => eb(refTuple('updated_at', 'id'), '>', tuple(0, '')))
    .orderBy('updated_at')
    .orderBy('id')
    .limit(1),
);

interface PollServices extends Pick<ServiceOptions, 'bus' | 'clock' | 'log' | 'store'> {
  readonly events: EventLog;
}

/** Polls the store for events of open sessions that the bus did not deliver. */
export class MissedEventPoll {
  readonly #services: PollServices;
  readonly #channels: ReadonlyMap<string, Channel>;
  readonly #findExisting: ReturnType<typeof prepareFindExisting>;
  /** Time of the last poll, in milliseconds since the epoch. */
  #polledAt: number;
  /** Time of the last check for deleted sessions. */
  #checkedForDeletedAt: number;
  #isPolling = false;

  constructor(services: PollServices, channels: ReadonlyMap<string, Channel>) {
    this.#services = services;
    this.#channels = channels;
    this.#findExisting = prepareFindExisting(services);
    this.#polledAt = services.clock.now();
    this.#checkedForDeletedAt = this.#polledAt;
  }

  /**
   * Starts a poll if one is due or the bus may have missed messages, unless one is in progress.
   *
   * @param tolerance Milliseconds by which the clocks of two processes may differ.
   */
  poll(tolerance: number): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#catchUp(tolerance)
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#isPolling = false;
      });
  }

  /** Delivers missed events if a poll is due or the bus may have missed messages. */
  async #catchUp(tolerance: number): Promise<void> {
    const now = this.#services.clock.now();
    // Absolute, because the clock may have been set back since the last poll.
    const isDue = Math.abs(now - this.#checkedForDeletedAt) >= pollInterval;
    if (!isDue && !this.#services.bus.mayHaveMissed(this.#polledAt)) return;
    await this.#catchUpChanged(Math.min(this.#polledAt, now) - tolerance);
    this.#polledAt = now;
    if (!isDue) return;
    await this.#endDeleted();
    this.#checkedForDeletedAt = now;
  }

  /**
   * Delivers the missed events of sessions that changed after `since`. Uses the index on
   * `updated_at`, so that the cost does not depend on the number of open sessions.
   */
  async #catchUpChanged(since: number): Promise<void> {
    if (this.#channels.size === 0) return;
    const { store, clock } = this.#services;
    const end = clock.now();
    for (let last = { id: '', updated_at: since }; last.updated_at <= end; ) {
      const rows = await findChanged(store.db, last.updated_at, last.id, pageSize);
      const ids = rows.map(({ id }) => id).filter((id) => this.#channels.has(id));
      await this.#inBatches(ids, async (batch) => {
        const lastSeqs = await this.#services.events.lastSeqs(batch);
        for (const [id, seq] of lastSeqs) await this.#channels.get(id)?.catchUp(seq);
      });
      const next = rows.at(pageSize - 1);
      if (!next) return;
      last = next;
      await setImmediate();
    }
  }

  /**
   * Ends the streams of deleted sessions. Looks up every open session, because a deletion leaves no
   * timestamp.
   */
  async #endDeleted(): Promise<void> {
    await this.#inBatches([...this.#channels.keys()], async (batch) => {
      const rows = await this.#findExisting(this.#services.store.db, batch);
      const existing = new Set(rows.map(({ id }) => id));
      for (const id of batch) if (!existing.has(id)) this.#channels.get(id)?.endStreams();
    });
  }

  async #inBatches(
    ids: readonly string[],
    handle: (batch: readonly string[]) => Promise<void>,
  ): Promise<void> {
    for (let index = 0; index < ids.length; index += batchSize) {
      await handle(ids.slice(index, index + batchSize));
      await setImmediate();
    }
  }

  #report(error: unknown): void {
    this.#services.log.error(
      'open sessions could not be compared with the store',
      describeError(error),
    );
  }
}

/** Prepares a query that returns those of the given session ids that exist. */
function prepareFindExisting({ store: { db } }: Pick<ServiceOptions, 'store'>) {
  return prepareBySize(
    (size) =>
      db.selectFrom('sessions').select('id').where('id', 'in', Array<string>(size).fill('')),
    (ids: readonly string[]) => ids,
  );
}
