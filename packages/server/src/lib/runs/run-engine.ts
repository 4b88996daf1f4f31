import type { RawBuilder, SqlBool } from 'kysely';
import type { BusMessage, BusOrigin, Subscription } from '../bus/bus.ts';
import { sleep } from '../clock.ts';
import { lockSessionIfFree } from '../events/lock-session.ts';
import { describeError } from '../log/logger.ts';
import { newId } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import { isDeleted } from '../store/is-deleted.ts';
import { type SessionsTable, sessionColumns } from '../store/schema.ts';
import { outsideSpans } from '../telemetry/traces.ts';
import { BackgroundWork } from '../workers/background-work.ts';
import type { Worker, Workload } from '../workers/worker.ts';
import { RequeueError, Run, type RunServices } from './run.ts';
import {
  hasStartable,
  type Lease,
  LeaseLostError,
  type RunLimits,
  type RunQueue,
} from './run-queue.ts';
import { NotReservedError } from './spending.ts';

/** Milliseconds until a run that failed is queued again. */
const retryDelay = 6_000;

/** A run whose lease this process has acquired. */
interface ActiveRun {
  readonly run: Run;
  readonly lease: Lease;
  readonly stopController: AbortController;
  readonly subscription: Subscription;
}

type EngineServices = RunServices & Pick<ServiceOptions, 'random' | 'store'> & { worker: Worker };

/**
 * Performs the runs of sessions, each in one process at a time. A run that would exceed a limit of its
 * user, its publishable key or this process is queued. Its row in the table `runs` is the queue entry,
 * so that the run survives restarts and any process can continue it.
 */
export class RunEngine implements Workload {
  readonly #services: EngineServices;
  readonly #queue: RunQueue;
  readonly #active = new Map<string, ActiveRun>();
  /** Ids of the leases that this process has, or tries to take. */
  readonly #leaseIds = new Set<string>();
  /** Sessions that were woken while their run was active, to be woken again when the run ends. */
  readonly #wokenWhileActive = new Set<string>();
  readonly #work: BackgroundWork;
  readonly #limits: RunLimits;
  readonly #maximumRuns: number;
  /** Number of runs that are in progress in this process, or about to start. */
  #runCount = 0;
  readonly #unsubscribe: () => void;
  readonly #leaveWorker: () => void;
  /** Latest time at which the active runs had certainly received all interrupts. */
  #lastChecked: number;
  /** The search for queued runs in progress, and whether to search again after it. */
  #search: Promise<void> | null = null;
  #mustSearchAgain = false;
  /** Whether a run of this process may be waiting for the end of another one. */
  #mayHaveWaiting = true;
  /** Whether the database may name this process for a run that it does not know. */
  #mayHaveUnknown = false;
  #closed = false;

  constructor(services: EngineServices) {
    this.#services = services;
    this.#queue = services.runQueue;
    this.#work = new BackgroundWork(services, 'run engine failed');
    this.#lastChecked = services.clock.now();
    const { user, publishable_key, process } = services.config.limits;
    this.#limits = { perUser: user.runs, perKey: publishable_key.runs };
    this.#maximumRuns = process.runs;
    this.#unsubscribe = services.bus.subscribe((message, from) =>
      this.#handleMessage(message, from),
    );
    this.#leaveWorker = services.worker.add(this);
    this.wake();
  }

  /**
   * Starts the run of a session with new events, unless it is active; by default, queued runs. The span of
   * the session's run is below that of the caller. A run from the queue starts a trace of its own, because
   * the queue does not store which request has caused it.
   */
  wake(sessionId?: string): void {
    if (sessionId === undefined) this.#work.add(outsideSpans(() => this.#startQueued()));
    else this.#work.add(this.#start(sessionId, false));
  }

  /** Whether the run of a session is in progress in this process. */
  isActive(sessionId: string): boolean {
    return this.#active.has(sessionId);
  }

  /** Resolves when no run is in progress in this process, or when `signal` is aborted. */
  settled(signal?: AbortSignal): Promise<void> {
    return this.#work.settled(signal);
  }

  /** Stops all runs. Another process, or this one after a restart, continues them immediately. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#leaveWorker();
    this.abandon();
    await this.settled();
  }

  isQueued(): RawBuilder<SqlBool> {
    return hasStartable(this.#limits);
  }

  /** Looks for interrupts that the active runs may have missed. */
  check(): void {
    this.#work.add(this.#checkForInterrupts());
    if (this.#mayHaveUnknown) this.#work.add(this.#requeueUnknown());
  }

  /** Stops all active runs. */
  abandon(): void {
    for (const { stopController } of this.#active.values()) stopController.abort();
  }

  /**
   * Starts the run of a session.
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
    const isStarted = await this.#takeAndPerform(this.#limits, sessionId);
    if (!isStarted) this.#mayHaveWaiting = true;
    if (!isStarted && isInterrupted) await this.#takeAndPerform(null, sessionId);
  }

  /** Starts queued runs within the limits. */
  #startQueued(): Promise<void> {
    this.#mustSearchAgain = true;
    this.#search ??= this.#searchForRuns().finally(() => {
      this.#search = null;
    });
    return this.#search;
  }

  async #searchForRuns(): Promise<void> {
    while (this.#mustSearchAgain) {
      this.#mustSearchAgain = false;
      this.#mayHaveWaiting = false;
      while (await this.#takeAndPerform(this.#limits));
    }
  }

  /**
   * Takes a run, and starts it: the run of a session, or else the next one in the queue.
   *
   * @param limits Null to start the run beyond all limits. It then calls neither models nor tools.
   * @returns False if there is no run to start.
   */
  async #takeAndPerform(limits: RunLimits | null, sessionId?: string): Promise<boolean> {
    if (this.#closed) return false;
    const { worker } = this.#services;
    if (limits && (!worker.takesWork || this.#runCount >= this.#maximumRuns)) return false;
    this.#runCount += 1;
    const id = newId(this.#services.random, 'run_');
    this.#leaseIds.add(id);
    let taken: Lease | ActiveRun | null = null;
    try {
      taken =
        limits && sessionId !== undefined
          ? await this.#takeAndStart(id, limits, sessionId)
          : await this.#queue.take(id, limits, sessionId);
    } catch (error) {
      this.#mayHaveUnknown = true;
      throw error;
    } finally {
      if (taken) this.#work.add(this.#perform(taken, limits !== null));
      else this.#end(id);
    }
    return taken !== null;
  }

  /**
   * Takes the run of a session, and starts it in the same transaction if possible. Only a new run is
   * started this way: the attempts at another one must be counted before its log is read, because
   * reading it may be what crashed the other processes.
   */
  async #takeAndStart(
    id: string,
    limits: RunLimits,
    sessionId: string,
  ): Promise<Lease | ActiveRun | null> {
    // Subscribes before the run reads the log, so that no interrupt is missed.
    const subscription = this.#services.bus.follow(sessionId);
    await subscription.ready;
    let started: ActiveRun | null = null;
    const discard = () => {
      if (started && this.#active.get(sessionId) === started) this.#active.delete(sessionId);
      started = null;
    };
    try {
      const lease = await this.#queue.take(id, limits, sessionId, async (transaction, lease) => {
        discard();
        const session =
          lease.attempt === 1 ? await lockSessionIfFree(transaction, sessionId) : null;
        if (!session) return null;
        const stopController = new AbortController();
        const options = { lease, isWithinLimits: true };
        const run = new Run(session, options, stopController.signal, this.#services);
        const write = await run.prepareStart(transaction, session);
        if (!write) return null;
        started = { run, lease, stopController, subscription };
        // Before the commit, so that the run is notified of interrupts from then on.
        this.#active.set(sessionId, started);
        return write;
      });
      if (lease && started) return started;
      discard();
      subscription.end();
      return lease;
    } catch (error) {
      discard();
      subscription.end();
      // After a lost connection, the run may have been taken.
      if (!(error instanceof NotReservedError)) this.#mayHaveUnknown = true;
      return this.#queue.take(id, limits, sessionId);
    }
  }

  #end(id: string): void {
    this.#runCount -= 1;
    this.#leaseIds.delete(id);
  }

  async #perform(taken: Lease | ActiveRun, isWithinLimits: boolean): Promise<void> {
    const lease = 'lease' in taken ? taken.lease : taken;
    const { sessionId, id } = lease;
    let active = 'lease' in taken ? taken : null;
    const stopController = active?.stopController ?? new AbortController();
    try {
      if (!active) {
        const session = await this.#findSession(sessionId);
        if (!session) return await this.#queue.remove(lease);
        const options = { lease, isWithinLimits };
        const run = new Run(session, options, stopController.signal, this.#services);
        const subscription = this.#services.bus.follow(sessionId);
        active = { run, lease, stopController, subscription };
      }
      this.#active.set(sessionId, active);
      if (this.#closed) stopController.abort();
      try {
        // Subscribes before the run reads the log, so that no interrupt is missed.
        await active.subscription.ready;
        await active.run.perform();
      } finally {
        active.subscription.end();
      }
    } catch (error) {
      await this.#handleFailure(lease, stopController.signal, error);
    } finally {
      if (this.#active.get(sessionId) === active) this.#active.delete(sessionId);
      this.#end(id);
      if (this.#wokenWhileActive.delete(sessionId)) outsideSpans(() => this.wake(sessionId));
      // A queued run of the same user, publishable key or process may have become startable.
      const mayHaveQueued = this.#mayHaveWaiting || (active?.run.mayHaveQueued ?? true);
      if (!this.#closed && mayHaveQueued) this.wake();
    }
  }

  async #handleFailure(lease: Lease, stopSignal: AbortSignal, error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) return;
    const isStopped = error instanceof RequeueError || stopSignal.aborted;
    if (!isStopped) {
      this.#services.log.error('run failed', { session: lease.sessionId, ...describeError(error) });
      await sleep(this.#services.clock, retryDelay, stopSignal);
    }
    try {
      await this.#queue.requeue(lease, !isStopped);
    } catch (failure) {
      this.#mayHaveUnknown = true;
      throw failure;
    }
  }

  async #requeueUnknown(): Promise<void> {
    this.#mayHaveUnknown = false;
    try {
      await this.#queue.requeueUnknown((id) => this.#leaseIds.has(id));
    } catch (error) {
      this.#mayHaveUnknown = true;
      throw error;
    }
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
          if (from === 'here' && !active) this.#work.add(this.#start(message.sessionId, true));
        }
        if (event.type === 'session.deleted') active?.stopController.abort();
      }
    } else if (message.kind === 'user_ended' && from === 'here') {
      // The process that received the request writes the interrupts, for all processes.
      this.#work.add(this.#interruptRuns(message.agentId, message.externalUserId));
    } else if (message.kind === 'agent_changed' && from === 'here') {
      const agent = this.#services.agents.find(message.agentId);
      if (agent && agent.archivedAt !== null) this.#work.add(this.#interruptRuns(agent.id));
    }
  }

  /**
   * Interrupts the active and queued runs of a user whose tokens have all been revoked, or of an
   * archived agent.
   */
  async #interruptRuns(agentId: string, externalUserId?: string): Promise<void> {
    const sessionIds = await this.#queue.sessionIdsOf(agentId, externalUserId);
    for (const id of sessionIds) {
      // The append rejects if the session was deleted; the other sessions are interrupted anyway.
      await this.#services.events
        .append(id, [{ type: 'user.interrupt' }])
        .catch((error: unknown) => {
          this.#services.log.warn('run not interrupted', { session: id, ...describeError(error) });
        });
    }
  }

  async #checkForInterrupts(): Promise<void> {
    const now = this.#services.clock.now();
    if (this.#services.bus.mayHaveMissed(this.#lastChecked)) {
      for (const { run } of [...this.#active.values()]) await run.checkForInterrupts();
    }
    this.#lastChecked = now;
  }

  #findSession(id: string): Promise<SessionsTable | undefined> {
    return this.#services.store.db
      .selectFrom('sessions')
      .select(sessionColumns)
      .where('id', '=', id)
      .where(({ not }) => not(isDeleted))
      .executeTakeFirst();
  }
}
