import type { BusMessage, BusOrigin } from '../bus/bus.ts';
import { describeError } from '../log/logger.ts';
import type { ServiceOptions } from '../service-options.ts';
import { isForgotten } from '../store/is-forgotten.ts';
import type { SessionsTable } from '../store/schema.ts';
import {
  type Lease,
  LeaseLostError,
  type Leases,
  leaseTime,
  type RunLimits,
  renewalTime,
} from './leases.ts';
import { RequeueError, Run, type RunServices } from './run.ts';

/** Milliseconds between two searches for runs that are queued or whose process died. */
const sweepInterval = 2_000;
/** Milliseconds until the next search if the previous one may not have found all runs. */
const nextSweepDelay = 100;
/** Maximum runs that one search returns. */
const maxFound = 100;

/** A run whose lease this process has acquired. */
interface ActiveRun {
  readonly run: Run;
  readonly lease: Lease;
  readonly stopController: AbortController;
  /** Time until which the lease is certain to be valid, according to the clock of this process. */
  leaseUntil: number;
}

type EngineServices = RunServices & Pick<ServiceOptions, 'store'>;

/**
 * Performs the runs of sessions, each in one process at a time. A run that would exceed a limit of its
 * user, its publishable key or this process is queued. Its row in the table `runs` is the queue entry,
 * so that the run survives restarts and any process can continue it.
 */
export class RunEngine {
  readonly #services: EngineServices;
  readonly #leases: Leases;
  readonly #active = new Map<string, ActiveRun>();
  /** Sessions that were woken while their run was active, to be woken again when the run ends. */
  readonly #wokenWhileActive = new Set<string>();
  readonly #pendingWork = new Set<Promise<void>>();
  readonly #limits: RunLimits;
  readonly #maximumRuns: number;
  /** Number of runs that are in progress in this process, or about to start. */
  #runCount = 0;
  readonly #unsubscribe: () => void;
  #cancelSweep: () => void = () => {};
  #cancelRenewal: () => void = () => {};
  /** Latest time at which the active runs had certainly received all interrupts. */
  #lastChecked: number;
  #closed = false;

  constructor(services: EngineServices) {
    this.#services = services;
    this.#leases = services.leases;
    this.#lastChecked = services.clock.now();
    const { user, publishable_key, process } = services.config.limits;
    this.#limits = { perUser: user.runs, perKey: publishable_key.runs };
    this.#maximumRuns = process.runs;
    this.#unsubscribe = services.bus.subscribe((message, from) =>
      this.#handleMessage(message, from),
    );
    this.#scheduleRenewal();
    this.#sweep();
  }

  /** Starts a run for a session with new events, unless its run is active. */
  wake(sessionId: string): void {
    this.#track(this.#start(sessionId, false));
  }

  /** Resolves when no run is in progress in this process. For tests and for a clean stop. */
  async settled(): Promise<void> {
    while (this.#pendingWork.size > 0) await Promise.all(this.#pendingWork);
  }

  /** Stops all runs. Another process, or this one after a restart, continues them immediately. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#cancelSweep();
    this.#cancelRenewal();
    for (const { stopController } of this.#active.values()) stopController.abort();
    await this.settled();
  }

  /**
   * Starts a run for a session.
   *
   * @param isInterrupted Whether the user interrupted the session. Its pending calls are then ended
   *   immediately, even beyond the limits.
   */
  async #start(sessionId: string, isInterrupted: boolean): Promise<void> {
    if (this.#closed) return;
    if (this.#active.has(sessionId)) {
      this.#wokenWhileActive.add(sessionId);
      return;
    }
    const hasRoom = this.#runCount < this.#maximumRuns;
    if (!hasRoom && !isInterrupted) return;
    this.#runCount += 1;
    let hasEnded = false;
    try {
      hasEnded = await this.#perform(sessionId, { hasRoom, isInterrupted });
    } finally {
      this.#runCount -= 1;
    }
    // A queued run of the same user, publishable key or process may have become startable.
    if (hasEnded && !this.#closed) await this.#startQueued();
  }

  /** Returns true after a run that this process acquired, however it ended. */
  async #perform(
    sessionId: string,
    { hasRoom, isInterrupted }: { hasRoom: boolean; isInterrupted: boolean },
  ): Promise<boolean> {
    const session = await this.#findSession(sessionId);
    if (!session) return false;
    const { clock } = this.#services;
    const leaseUntil = clock.now() + leaseTime;
    let lease = hasRoom ? await this.#leases.acquire(session, this.#limits) : 'queued';
    const isWithinLimits = lease !== 'queued';
    if (lease === 'queued' && isInterrupted) lease = await this.#leases.acquire(session, null);
    // If another process holds the lease, the run of that process reads the new event before it ends.
    if (lease === null || lease === 'queued') return false;
    const stopController = new AbortController();
    const isLeaseValid = () => clock.now() < active.leaseUntil;
    const run = new Run(
      session,
      { lease, isWithinLimits, isLeaseValid },
      stopController.signal,
      this.#services,
    );
    const active: ActiveRun = { run, lease, stopController, leaseUntil };
    this.#active.set(sessionId, active);
    if (this.#closed) stopController.abort();
    const subscription = this.#services.bus.follow(sessionId);
    try {
      // Subscribes before the run reads the log, so that no interrupt is missed.
      await subscription.ready;
      await run.perform();
    } catch (error) {
      await this.#handleFailure(lease, stopController.signal, error);
    } finally {
      subscription.end();
      this.#active.delete(sessionId);
      if (this.#wokenWhileActive.delete(sessionId)) this.wake(sessionId);
    }
    return true;
  }

  /** Starts queued runs within the limits. Returns false if the search may not have found all. */
  async #startQueued(): Promise<boolean> {
    const room = Math.min(this.#maximumRuns - this.#runCount, maxFound);
    if (room <= 0) return true;
    const { sessionIds, isComplete } = await this.#leases.findStartable(this.#limits, room);
    for (const sessionId of sessionIds) this.wake(sessionId);
    return isComplete;
  }

  async #handleFailure(lease: Lease, stopSignal: AbortSignal, error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) return;
    if (error instanceof RequeueError || stopSignal.aborted) return this.#leases.requeue(lease);
    this.#services.log.error('run failed', { session: lease.sessionId, ...describeError(error) });
    // The lease is left to expire, so that a failing run is not retried immediately.
  }

  #handleMessage(message: BusMessage, from: BusOrigin): void {
    if (message.kind === 'session_joined') {
      this.#active.get(message.sessionId)?.run.repeatPartialEvent();
    } else if (message.kind === 'session_events') {
      const active = this.#active.get(message.sessionId);
      for (const event of message.events) {
        if (event.type === 'user.interrupt') {
          active?.run.interrupt(event.seq);
          // The process that received the interrupt ends a queued run.
          if (from === 'here' && !active) this.#track(this.#start(message.sessionId, true));
        }
        if (event.type === 'session.deleted') active?.stopController.abort();
      }
    } else if (message.kind === 'user_ended' && from === 'here') {
      // The process that received the request writes the interrupts, for all processes.
      this.#track(this.#interruptRuns(message.agentId, message.externalUserId));
    } else if (message.kind === 'agent_changed' && from === 'here') {
      const agent = this.#services.agents.find(message.agentId);
      if (agent && agent.archivedAt !== null) this.#track(this.#interruptRuns(agent.id));
    }
  }

  /**
   * Interrupts the active and queued runs of a user whose tokens have all been revoked, or of an
   * archived agent.
   */
  async #interruptRuns(agentId: string, externalUserId?: string): Promise<void> {
    const sessionIds = await this.#leases.sessionIdsOf(agentId, externalUserId);
    for (const id of sessionIds) {
      // The append rejects if the session was deleted; the other sessions are interrupted anyway.
      await this.#services.events
        .append(id, [{ type: 'user.interrupt' }])
        .catch((error: unknown) => {
          this.#services.log.warn('run not interrupted', { session: id, ...describeError(error) });
        });
    }
  }

  #scheduleRenewal(): void {
    this.#cancelRenewal = this.#services.clock.after(renewalTime, () => {
      this.#track(this.#renew().finally(() => this.#closed || this.#scheduleRenewal()));
    });
  }

  async #renew(): Promise<void> {
    const now = this.#services.clock.now();
    const mayHaveMissed = this.#services.bus.mayHaveMissed(this.#lastChecked);
    for (const active of [...this.#active.values()]) {
      const { run, lease, stopController } = active;
      const leaseUntil = this.#services.clock.now() + leaseTime;
      if (!(await this.#leases.renew(lease))) {
        stopController.abort();
        continue;
      }
      active.leaseUntil = leaseUntil;
      if (mayHaveMissed) await run.checkForInterrupts();
    }
    this.#lastChecked = now;
  }

  /**
   * Searches for runs to start, and schedules the next search after this one has finished, however
   * long the store takes.
   */
  #sweep(): void {
    let pause = sweepInterval;
    this.#track(
      this.#startQueued()
        .then((isComplete) => {
          if (!isComplete) pause = nextSweepDelay;
        })
        .finally(() => {
          if (this.#closed) return;
          this.#cancelSweep = this.#services.clock.after(pause, () => this.#sweep());
        }),
    );
  }

  #findSession(id: string): Promise<SessionsTable | undefined> {
    return this.#services.store.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', id)
      .where(({ not }) => not(isForgotten))
      .executeTakeFirst();
  }

  #track(work: Promise<void>): void {
    const pending = work
      .catch((error: unknown) =>
        this.#services.log.error('run engine failed', describeError(error)),
      )
      .finally(() => this.#pendingWork.delete(pending));
    this.#pendingWork.add(pending);
  }
}
