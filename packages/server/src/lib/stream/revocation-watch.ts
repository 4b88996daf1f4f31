import type { ProblemCode } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import type { BusMessage } from '../bus/bus.ts';
import type { Services } from '../deps.ts';
import { describeError } from '../log/logger.ts';

/** Milliseconds between two looks into the store, for decisions whose message was lost. */
const pollInterval = 2_000;
/** The same where no message of another process can come. */
const lonelyPollInterval = 1_000;
/** Milliseconds by which clocks of two processes may differ. Each look goes back so far. */
const clockTolerance = 60_000;

interface WatchPorts {
  /** Whose tokens hold something open. */
  readonly callers: () => Iterable<EndUserCaller>;
  readonly end: (issuanceId: string, code: ProblemCode) => void;
  /** Whatever else has to be compared with the store. Told how far clocks of processes may differ. */
  readonly poll: (tolerance: number) => void;
}

type WatchServices = Pick<Services, 'bus' | 'store' | 'clock' | 'log' | 'agents'>;

/**
 * Hears that tokens have ended: from the bus at once, and from the store at most two seconds later.
 * The row is the truth and the message a hint, so a message that is lost delays and no more.
 */
export class RevocationWatch {
  readonly #services: WatchServices;
  readonly #ports: WatchPorts;
  readonly #unsubscribe: (() => void)[];
  #cancel: () => void = () => {};
  #since: number;
  #closed = false;

  constructor(services: WatchServices, ports: WatchPorts) {
    this.#services = services;
    this.#ports = ports;
    this.#since = services.clock.now() - clockTolerance;
    this.#unsubscribe = [
      services.bus.subscribe((message) => this.#hear(message)),
      // Of the registry, not of the bus: what is looked at has to be read again first.
      services.agents.onChange(() => this.#checkAgents()),
    ];
    this.#schedule();
  }

  close(): void {
    this.#closed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#cancel();
  }

  #hear(message: BusMessage): void {
    if (message.kind === 'token_ended') this.#ports.end(message.issuanceId, message.code);
    if (message.kind === 'user_ended') {
      for (const issuanceId of message.issuanceIds) this.#ports.end(issuanceId, message.code);
    }
  }

  /** A key may have ended or be gone, or an agent be archived: their tokens end so. */
  #checkAgents(): void {
    const { agents } = this.#services;
    for (const caller of [...this.#ports.callers()]) {
      const agent = agents.find(caller.agentId);
      const key = caller.publishableKey;
      const isKeyGone = key !== null && !agents.findPublishableKey(key);
      const isGone = !agent || agent.archivedAt !== null;
      if (isKeyGone || isGone) this.#ports.end(caller.issuanceId, 'EMBED_TOKEN_REVOKED');
    }
  }

  #schedule(): void {
    if (this.#closed) return;
    const isAlone = this.#services.bus.state === 'redis_down';
    this.#cancel = this.#services.clock.after(isAlone ? lonelyPollInterval : pollInterval, () => {
      void this.#poll()
        .catch((error: unknown) =>
          this.#services.log.error('streams not compared with the store', describeError(error)),
        )
        .finally(() => this.#schedule());
    });
  }

  async #poll(): Promise<void> {
    const begun = this.#services.clock.now();
    const [anyone] = this.#ports.callers();
    if (anyone) {
      // A key that was replaced ends by the clock, without a word from anybody.
      this.#checkAgents();
      await this.#compare();
    }
    this.#since = begun - clockTolerance;
  }

  /** One query, whatever is open: which of it they concern is looked up in memory. */
  async #compare(): Promise<void> {
    const rows = await this.#services.store.db
      .selectFrom('issuances')
      .select('id')
      .where('revoked_at', '>=', this.#since)
      .execute();
    for (const { id } of rows) this.#ports.end(id, 'EMBED_TOKEN_REVOKED');
    // Not awaited: however much there is to compare, revocations are looked for in time.
    this.#ports.poll(clockTolerance);
  }
}
