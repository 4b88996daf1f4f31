import { setImmediate } from 'node:timers/promises';
import type { LogEvent } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EventDraft } from '../events/event-draft.ts';
import type { AppendOptions, Drafts, EventLog } from '../events/event-log.ts';
import type { LockedSession } from '../events/lock-session.ts';
import type { Schema } from '../store/schema.ts';
import type { Lease, RunQueue } from './run-queue.ts';

/**
 * Maximum tool results per transaction of `appendBatched`: large enough that many tool results need few
 * transactions, small enough that no transaction delays other users of the store.
 */
const batchSize = 16;

/** A session's log, as far as its run has read it. Writes fail once the run has lost its lease. */
export class RunLog {
  readonly #lease: Lease;
  readonly #events: EventLog;
  readonly #queue: RunQueue;
  readonly #loaded: LogEvent[] = [];
  readonly #queued: (readonly EventDraft[])[] = [];
  #flush: Promise<void> | null = null;
  #started: readonly LogEvent[] = [];

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

  /** Reads the log in a transaction that has locked the session. */
  async load(transaction: Transaction<Schema>): Promise<void> {
    const { sessionId } = this.#lease;
    for (const event of await this.#events.read(sessionId, { after: 0 }, transaction)) {
      this.#loaded.push(event);
    }
  }

  /**
   * Appends the first events of a run in the transaction that takes it. `publishStart` publishes them
   * after the commit.
   */
  async writeStart(
    transaction: Transaction<Schema>,
    session: LockedSession,
    drafts: readonly EventDraft[],
    within: AppendOptions['within'],
  ): Promise<void> {
    this.#started = await this.#events.write(transaction, session.id, session, drafts, {
      expectedSeq: this.lastSeq,
      within,
    });
    for (const event of this.#started) this.#loaded.push(event);
  }

  async publishStart(): Promise<void> {
    await this.#events.publish(this.#lease.sessionId, this.#started);
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
      within: async (transaction, events, session) => {
        await this.#queue.assertHeld(transaction, this.#lease);
        return within?.(transaction, events, session);
      },
    });
    // If another writer has appended events before these, the next `refresh` reads all new events.
    if (appended[0]?.seq !== this.lastSeq + 1) return;
    for (const event of appended) this.#loaded.push(event);
  }

  /**
   * Appends the events of a tool result. Those that are added while another append is in progress are
   * appended together, so that a run has at most one write in the queue of the store, however many tools it
   * calls.
   *
   * @throws LeaseLostError If another process has taken over the run.
   */
  appendBatched(drafts: readonly EventDraft[]): Promise<void> {
    this.#queued.push(drafts);
    this.#flush ??= this.#appendQueued();
    return this.#flush;
  }

  async #appendQueued(): Promise<void> {
    try {
      while (this.#queued.length > 0) {
        await this.append(this.#queued.splice(0, batchSize).flat());
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
  async abandon(drafts: readonly EventDraft[]): Promise<void> {
    await this.#events.append(
      this.#lease.sessionId,
      async (_, session) => (session?.status === 'terminated' ? [] : drafts),
      {
        within: async (transaction) => {
          await this.#queue.release(transaction, this.#lease);
        },
      },
    );
  }

  /**
   * Appends the last events of a run, and releases its lease.
   *
   * @returns Whether other runs were queued.
   * @throws LogChangedError If the log has events that the run has not read.
   */
  async finish(drafts: Drafts, within?: AppendOptions['within']): Promise<boolean> {
    let hasQueued = true;
    await this.#events.append(this.#lease.sessionId, drafts, {
      expectedSeq: this.lastSeq,
      within: async (transaction, events, session) => {
        // Before `within`, which locks daily counters: those of active runs come first.
        hasQueued = await this.#queue.release(transaction, this.#lease);
        return within?.(transaction, events, session);
      },
    });
    return hasQueued;
  }
}
