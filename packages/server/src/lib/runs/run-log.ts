import type { LogEvent } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EventDraft } from '../events/event-draft.ts';
import type { AppendOptions, Drafts, EventLog } from '../events/event-log.ts';
import type { Schema } from '../store/schema.ts';
import type { Lease, Leases } from './leases.ts';

/** A session's log as its run sees it: what it has read, and the right to write while it holds the lease. */
export class RunLog {
  readonly #lease: Lease;
  readonly #events: EventLog;
  readonly #leases: Leases;
  readonly #seen: LogEvent[] = [];

  constructor(lease: Lease, ports: { events: EventLog; leases: Leases }) {
    this.#lease = lease;
    this.#events = ports.events;
    this.#leases = ports.leases;
  }

  get seen(): readonly LogEvent[] {
    return this.#seen;
  }

  get lastSeq(): number {
    return this.#seen.at(-1)?.seq ?? 0;
  }

  /** Reads what was written since, by this run and by others. */
  async refresh(): Promise<void> {
    const { sessionId } = this.#lease;
    // One at a time: a call with very many arguments throws a RangeError.
    for (const event of await this.#events.read(sessionId, { after: this.lastSeq })) {
      this.#seen.push(event);
    }
  }

  /** Rejects with `LeaseLostError` where another process took the run over. */
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
    // Where something stands between, it has not been seen: all of it is read at the next refresh.
    if (appended[0]?.seq !== this.lastSeq + 1) return;
    for (const event of appended) this.#seen.push(event);
  }

  /** Rejects with `LogMovedError` where something came in that the run has not seen. */
  appendIfUnmoved(drafts: readonly EventDraft[]): Promise<void> {
    return this.append(drafts, undefined, this.lastSeq);
  }

  /** Appends the last events of a run without having read its log, and releases its lease. */
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

  /** The last words of a run, and the end of its lease: both, unless something unseen came in. */
  finish(drafts: readonly EventDraft[]): Promise<void> {
    return this.append(
      drafts,
      (transaction) => this.#leases.release(this.#lease, transaction),
      this.lastSeq,
    );
  }
}
