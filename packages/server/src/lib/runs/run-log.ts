import type { LogEvent } from '@inlay/protocol';
import type { EventDraft } from '../events/event-draft.ts';
import type { AppendOptions, Drafts, EventLog } from '../events/event-log.ts';
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
    this.#seen.push(...(await this.#events.read(sessionId, { after: this.lastSeq })));
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
    if (appended[0]?.seq === this.lastSeq + 1) this.#seen.push(...appended);
  }

  /** Rejects with `LogMovedError` where something came in that the run has not seen. */
  appendIfUnmoved(drafts: readonly EventDraft[]): Promise<void> {
    return this.append(drafts, undefined, this.lastSeq);
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
