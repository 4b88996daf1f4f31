import { setImmediate } from 'node:timers/promises';
import type { LogEvent } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EventDraft } from '../events/event-draft.ts';
import type { AppendOptions, Drafts, EventLog } from '../events/event-log.ts';
import type { Schema } from '../store/schema.ts';
import type { Lease, RunQueue } from './run-queue.ts';

/**
 * Maximum events per transaction of `appendBatched`: large enough that many tool results need few
 * transactions, small enough that no transaction delays other users of the store.
 */
const batchSize = 16;

/** A session's log, as far as its run has read it. Writes fail once the run has lost its lease. */
export class RunLog {
  readonly #lease: Lease;
  readonly #events: EventLog;
  readonly #queue: RunQueue;
  readonly #loaded: LogEvent[] = [];
  readonly #queued: EventDraft[] = [];
  #flush: Promise<void> | null = null;

  constructor(lease: Lease, deps: { events: EventLog; runQueue: RunQueue }) {
    this.#lease = lease;
    this.#events = deps.events;
    this.#queue = deps.runQueue;
  }

  get events(): readonly LogEvent[] {
    return this.#loaded;
  }

  get lastSeq(): number {
    return this.#loaded.at(-1)?.seq ?? 0;
  }

  /** Reads the events that this run and others have appended since the last read. */
  async refresh(): Promise<void> {
    const { sessionId } = this.#lease;
    // Events are added one at a time, because `push` with too many arguments throws a RangeError.
    for (const event of await this.#events.read(sessionId, { after: this.lastSeq })) {
      this.#loaded.push(event);
    }
  }

  /** @throws LeaseLostError If another process has taken over the run, or its session was deleted. */
  requireLease(): Promise<void> {
    return this.#queue.requireHeld(this.#lease);
  }

  /**
   * Appends events.
   *
   * @throws LeaseLostError If another process has taken over the run.
   * @throws LogChangedError If the `seq` of the log's last event is not `expectedSeq`.
   */
  async append(
    drafts: Drafts,
    within?: AppendOptions['within'],
    expectedSeq?: number,
  ): Promise<void> {
    const appended = await this.#events.append(this.#lease.sessionId, drafts, {
      expectedSeq,
      within: async (transaction, events) => {
        await this.#queue.assertHeld(transaction, this.#lease);
        await within?.(transaction, events);
      },
    });
    // If another writer has appended events before these, the next `refresh` reads all new events.
    if (appended[0]?.seq !== this.lastSeq + 1) return;
    for (const event of appended) this.#loaded.push(event);
  }

  /**
   * Appends an event. Events that are added while another append is in progress are appended
   * together, so that a run has at most one write in the queue of the store, however many tools it
   * calls.
   *
   * @throws LeaseLostError If another process has taken over the run.
   */
  appendBatched(draft: EventDraft): Promise<void> {
    this.#queued.push(draft);
    this.#flush ??= this.#appendQueued();
    return this.#flush;
  }

  async #appendQueued(): Promise<void> {
    try {
      while (this.#queued.length > 0) {
        await this.append(this.#queued.splice(0, batchSize));
        // SQLite works synchronously: without this pause, all batches would be written in one turn of
        // the event loop.
        await setImmediate();
      }
    } finally {
      this.#flush = null;
    }
  }

  /**
   * Appends events if the run has read the whole log.
   *
   * @throws LogChangedError If the log has events that the run has not read.
   */
  appendIfCurrent(drafts: readonly EventDraft[]): Promise<void> {
    return this.append(drafts, undefined, this.lastSeq);
  }

  /** Appends the last events of a run without reading its log, and releases the lease. */
  abandon(drafts: readonly EventDraft[]): Promise<void> {
    const { sessionId } = this.#lease;
    const unlessTerminated = async (transaction: Transaction<Schema>) => {
      const row = await transaction
        .selectFrom('sessions')
        .select('status')
        .where('id', '=', sessionId)
        .executeTakeFirst();
      return row?.status === 'terminated' ? [] : drafts;
    };
    return this.append(unlessTerminated, (transaction) =>
      this.#queue.release(transaction, this.#lease),
    );
  }

  /**
   * Appends the last events of a run, and releases its lease.
   *
   * @throws LogChangedError If the log has events that the run has not read.
   */
  finish(drafts: readonly EventDraft[]): Promise<void> {
    return this.append(
      drafts,
      (transaction) => this.#queue.release(transaction, this.#lease),
      this.lastSeq,
    );
  }
}
