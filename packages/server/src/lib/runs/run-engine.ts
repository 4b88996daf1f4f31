import type { BusMessage, BusOrigin } from '../bus/bus.ts';
import type { Services } from '../deps.ts';
import { describeError } from '../log/logger.ts';
import type { SessionsTable } from '../store/schema.ts';
import {
  type Lease,
  LeaseLostError,
  type Leases,
  leaseTime,
  type RunLimits,
  renewalTime,
} from './leases.ts';
import { QueuedError, Run, type RunDeps } from './run.ts';

/** Milliseconds between two looks for runs whose process died. */
const sweepTime = 2_000;
/** Milliseconds until the next look where there were more than one look finds. */
const nextSweepTime = 100;
/** Runs that one look for waiting ones finds. */
const foundAtOnce = 100;

interface Active {
  readonly run: Run;
  readonly lease: Lease;
  readonly letGo: AbortController;
  /** Until when the lease holds for certain, by this process's clock. */
  heldUntil: number;
}

/**
 * Works on the sessions that have something to do, each by one process at a time. Beyond the limits
 * of a user, a publishable key or this process a session waits: its row in `runs` is the queue, so
 * that it survives restarts and any process may go on with it.
 */
export class RunEngine {
  readonly #services: Services;
  readonly #deps: RunDeps;
  readonly #leases: Leases;
  readonly #active = new Map<string, Active>();
  /** Woken while a run was about to end here: they are looked at once more. */
  readonly #wanted = new Set<string>();
  readonly #ending = new Set<Promise<void>>();
  readonly #limits: RunLimits;
  readonly #mostAtOnce: number;
  /** Runs that this process has begun, or is about to begin. */
  #busy = 0;
  readonly #unsubscribe: () => void;
  #cancelSweep: () => void = () => {};
  #cancelRenewal: () => void = () => {};
  /** When the runs' logs were known to hold no interrupt that has not reached them. */
  #lookedAt: number;
  #closed = false;

  constructor(
    services: Services,
    deps: Pick<RunDeps, 'events' | 'leases' | 'spending' | 'loadAttachment'>,
  ) {
    this.#services = services;
    this.#leases = deps.leases;
    this.#lookedAt = services.clock.now();
    this.#deps = { ...deps, services };
    const { user, publishable_key, process } = services.config.limits;
    this.#limits = { perUser: user.runs, perKey: publishable_key.runs };
    this.#mostAtOnce = process.runs;
    this.#unsubscribe = services.bus.subscribe((message, from) => this.#hear(message, from));
    this.#scheduleRenewal();
    this.#sweep();
  }

  /** Something was said in a session: works on it, unless somebody does already. */
  wake(sessionId: string): void {
    this.#track(this.#start(sessionId, false));
  }

  /** Resolves when no run is under way in this process. For tests, and for a clean stop. */
  async settled(): Promise<void> {
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  /** Lets go of every run. Another process, or the next start of this one, takes them up at once. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#cancelSweep();
    this.#cancelRenewal();
    for (const { letGo } of this.#active.values()) letGo.abort();
    await this.settled();
  }

  /** @param isStop Whether something was stopped: what waits is ended at once, beyond any limit. */
  async #start(sessionId: string, isStop: boolean): Promise<void> {
    if (this.#closed) return;
    if (this.#active.has(sessionId)) {
      this.#wanted.add(sessionId);
      return;
    }
    const hasRoom = this.#busy < this.#mostAtOnce;
    if (!hasRoom && !isStop) return;
    this.#busy += 1;
    let hasEnded = false;
    try {
      hasEnded = await this.#perform(sessionId, { hasRoom, isStop });
    } finally {
      this.#busy -= 1;
    }
    // There is room for one that waits, of this user, this key or this process.
    if (hasEnded && !this.#closed) await this.#fill();
  }

  /** True after a run that this process took, however it ended. */
  async #perform(
    sessionId: string,
    { hasRoom, isStop }: { hasRoom: boolean; isStop: boolean },
  ): Promise<boolean> {
    const session = await this.#findSession(sessionId);
    if (!session) return false;
    // Where somebody holds it, that run sees the new event: it cannot end without having read it.
    const { clock } = this.#services;
    const heldUntil = clock.now() + leaseTime;
    let lease = hasRoom ? await this.#leases.acquire(session, this.#limits) : 'queued';
    const mayWork = lease !== 'queued';
    if (lease === 'queued' && isStop) lease = await this.#leases.acquire(session, null);
    if (lease === null || lease === 'queued') return false;
    const letGo = new AbortController();
    const isCurrent = () => clock.now() < active.heldUntil;
    const run = new Run(session, { lease, mayWork, isCurrent }, letGo.signal, this.#deps);
    const active: Active = { run, lease, letGo, heldUntil };
    this.#active.set(sessionId, active);
    if (this.#closed) letGo.abort();
    const followed = this.#services.bus.follow(sessionId);
    try {
      // Before the run reads the log: what is said later reaches it by the bus.
      await followed.ready;
      await run.perform();
    } catch (error) {
      await this.#letGo(lease, letGo.signal, error);
    } finally {
      followed.end();
      this.#active.delete(sessionId);
      if (this.#wanted.delete(sessionId)) this.wake(sessionId);
    }
    return true;
  }

  /** Begins what waits, as far as there is room. False where there may be more. */
  async #fill(): Promise<boolean> {
    const room = Math.min(this.#mostAtOnce - this.#busy, foundAtOnce);
    if (room <= 0) return true;
    const { sessionIds, areAll } = await this.#leases.waiting(this.#limits, room);
    for (const sessionId of sessionIds) this.wake(sessionId);
    return areAll;
  }

  async #letGo(lease: Lease, letGo: AbortSignal, error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) return;
    if (error instanceof QueuedError) return this.#leases.requeue(lease);
    if (!letGo.aborted) {
      this.#services.log.error('run failed', { session: lease.sessionId, ...describeError(error) });
      // Left to expire, not abandoned: what fails at once must not be tried again at once.
      return;
    }
    await this.#leases.abandon(lease);
  }

  #hear(message: BusMessage, from: BusOrigin): void {
    if (message.kind === 'session_joined') {
      this.#active.get(message.sessionId)?.run.repeatLive();
    } else if (message.kind === 'session_events') {
      const active = this.#active.get(message.sessionId);
      for (const event of message.events) {
        if (event.type === 'user.interrupt') {
          active?.run.interrupt(event.seq);
          // One that waits is ended by the process that was told.
          if (from === 'here' && !active) this.#track(this.#start(message.sessionId, true));
        }
        if (event.type === 'session.deleted') active?.letGo.abort();
      }
    } else if (message.kind === 'user_ended' && from === 'here') {
      // The process that decided writes it down, for whoever runs them.
      this.#track(this.#interruptUser(message.agentId, message.externalUserId));
    }
  }

  /** All of a user's tokens were ended: what runs for them stops, and what is about to run. */
  async #interruptUser(agentId: string, externalUserId: string): Promise<void> {
    const sessionIds = await this.#leases.ofUser(agentId, externalUserId);
    for (const id of sessionIds) {
      // One that was deleted meanwhile must not keep the others from being stopped.
      await this.#deps.events.append(id, [{ type: 'user.interrupt' }]).catch((error: unknown) => {
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
    const mayHaveMissed = this.#services.bus.mayHaveMissed(this.#lookedAt);
    for (const active of [...this.#active.values()]) {
      const { run, lease, letGo } = active;
      const heldUntil = this.#services.clock.now() + leaseTime;
      if (!(await this.#leases.renew(lease))) {
        letGo.abort();
        continue;
      }
      active.heldUntil = heldUntil;
      if (mayHaveMissed) await run.look();
    }
    this.#lookedAt = now;
  }

  /** The next look comes only after this one, however long the store takes. */
  #sweep(): void {
    let pause = sweepTime;
    this.#track(
      this.#fill()
        .then((areAll) => {
          if (!areAll) pause = nextSweepTime;
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
      .executeTakeFirst();
  }

  #track(work: Promise<void>): void {
    const ending = work
      .catch((error: unknown) =>
        this.#services.log.error('run engine failed', describeError(error)),
      )
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}
