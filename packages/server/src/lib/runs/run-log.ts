import type { LogEvent } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EventDraft } from '../events/event-draft.ts';
import type { AppendOptions, Drafts, EventLog } from '../events/event-log.ts';
import type { Schema } from '../store/schema.ts';
import type { Lease, Leases } from './leases.ts';

/** The log of a session as its run has read it. Writes only while the run holds the lease. */
export class RunLog {
  readonly #lease: Lease;
  readonly #events: EventLog;
  readonly #leases: Leases;
  readonly #loaded: LogEvent[] = [];

  constructor(lease: Lease, deps: { events: EventLog; leases: Leases }) {
    this.#lease = lease;
    this.#events = deps.events;
    this.#leases = deps.leases;
  }

  get events(): readonly LogEvent[] {
    return this.#loaded;
  }

  get lastSeq(): number {
    return this.#loaded.at(-1)?.seq ?? 0;
  }

  /** Reads the events that were appended since, by this run and by others. */
  async refresh(): Promise<void> {
    const { sessionId } = this.#lease;
    // One at a time: `push` with very many arguments throws a RangeError.
    for (const event of await this.#events.read(sessionId, { after: this.lastSeq })) {
      this.#loaded.push(event);
    }
  }

  /** @throws LeaseLostError If another process has taken over the run. */
  async append(
    drafts: Drafts,
    within?: AppendOptions['within'],
    expectedSeq?: number,
  ): Promise<void> {
    const appended = await this.#events.append(this.#lease.sessionId, drafts, {
      expectedSeq,
      within: async (transaction, events) => {
        await this.#leases.assertHeld(transaction, this.#lease);
        await within?.(transaction, events);
      },
    });
    // Another writer's events came in between: the next refresh reads all of them.
    if (appended[0]?.seq !== this.lastSeq + 1) return;
    for (const event of appended) this.#loaded.push(event);
  }

  /** @throws LogChangedError If events were appended that the run has not read. */
  appendIfCurrent(drafts: readonly EventDraft[]): Promise<void> {
    return this.append(drafts, undefined, this.lastSeq);
  }

  /** Appends the last events of a run without reading its log, and releases the lease. */
  abandon(drafts: readonly EventDraft[]): Promise<void> {
    const { sessionId } = this.#lease;
    const unlessOver = async (transaction: Transaction<Schema>) => {
      const row = await transaction
        .selectFrom('sessions')
        .select('status')
        .where('id', '=', sessionId)
        .executeTakeFirst();
      return row?.status === 'terminated' ? [] : drafts;
    };
    return this.append(unlessOver, (transaction) => this.#leases.release(this.#lease, transaction));
  }

  /**
   * Appends the last events of a run and releases its lease, unless events were appended that the
   * run has not read.
   */
  finish(drafts: readonly EventDraft[]): Promise<void> {
    return this.append(
      drafts,
      (transaction) => this.#leases.release(this.#lease, transaction),
      this.lastSeq,
    );
  }
}
