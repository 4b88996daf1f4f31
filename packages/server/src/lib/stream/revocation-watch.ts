import type { ProblemCode } from '@inlay/protocol';
import type { AgentRegistry } from '../agents/agent-registry.ts';
import { apiKeyId } from '../auth/api-keys.ts';
import type { Caller } from '../auth/caller.ts';
import type { BusMessage } from '../bus/bus.ts';
import { describeError } from '../log/logger.ts';
import type { ServiceOptions } from '../service-options.ts';

/**
 * Milliseconds between two polls of the store while Redis is unreachable and no message can arrive. It is
 * noticed within this time that Redis has become unreachable.
 */
const tickInterval = 1_000;
/** Otherwise, a poll every two seconds finds ended tokens whose bus message was lost. */
const ticksPerPoll = 2;
/**
 * Maximum clock difference between two processes, in milliseconds. Each poll overlaps the previous
 * one by this time.
 */
const clockTolerance = 60_000;

interface WatchDeps {
  /** Owners of the credentials with open connections. */
  readonly callers: () => Iterable<Caller>;
  /**
   * Ends the connections of an issuance or an API key, if it has any. `storedAt` is when its end was stored, in
   * milliseconds since the epoch; null if that is not known.
   */
  readonly end: (credentialId: string, code: ProblemCode, storedAt: number | null) => void;
  /** Called at each poll with open connections. */
  readonly poll: () => void;
}

interface WatchServices extends Pick<ServiceOptions, 'bus' | 'store' | 'clock' | 'log'> {
  readonly agents: AgentRegistry;
}

/**
 * Ends the connections of tokens that were revoked or made to expire. Both arrive immediately through
 * the bus. A poll finds them in the store within two seconds, so that a lost bus message, or the lack
 * of a bus between processes, only delays the end. API keys are revoked by a command without a bus, so
 * that only the poll finds those.
 */
export class RevocationWatch {
  readonly #services: WatchServices;
  readonly #deps: WatchDeps;
  readonly #unsubscribe: (() => void)[];
  #cancel: () => void = () => {};
  #since: number;
  #closed = false;

  constructor(services: WatchServices, deps: WatchDeps) {
    this.#services = services;
    this.#deps = deps;
    this.#since = services.clock.now() - clockTolerance;
    this.#unsubscribe = [
      services.bus.subscribe((message) => this.#handle(message)),
      // Subscribes to the registry, not to the bus: the registry reloads the agents first.
      services.agents.onChange(() => this.#checkAgents()),
    ];
    this.#schedule();
  }

  close(): void {
    this.#closed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#cancel();
  }

  #handle(message: BusMessage): void {
    if (message.kind === 'token_ended') {
      this.#deps.end(message.issuanceId, message.code, message.at);
    }
    if (message.kind === 'user_ended') {
      for (const id of message.issuanceIds) this.#deps.end(id, message.code, message.at);
    }
  }

  /** Ends the connections of tokens whose publishable key or agent cannot be used any more. */
  #checkAgents(): void {
    const { agents } = this.#services;
    for (const caller of [...this.#deps.callers()]) {
      if (caller.kind === 'backend') continue;
      const agent = agents.find(caller.agentId);
      const key = caller.publishableKey;
      const isKeyUnusable = key !== null && !agents.findPublishableKey(key);
      const isAgentUnavailable = !agent || agent.archivedAt !== null;
      if (isKeyUnusable || isAgentUnavailable)
        this.#deps.end(caller.issuanceId, 'EMBED_TOKEN_REVOKED', null);
    }
  }

  /** @param ticks Ticks since the last poll. */
  #schedule(ticks = 0): void {
    if (this.#closed) return;
    const { bus, clock, log } = this.#services;
    this.#cancel = clock.after(tickInterval, () => {
      if (bus.state !== 'redis_down' && ticks + 1 < ticksPerPoll) {
        this.#schedule(ticks + 1);
        return;
      }
      void this.#poll()
        .catch((error: unknown) =>
          log.error('streams could not be compared with the store', describeError(error)),
        )
        .finally(() => this.#schedule());
    });
  }

  async #poll(): Promise<void> {
    const startedAt = this.#services.clock.now();
    const [firstCaller] = this.#deps.callers();
    if (firstCaller) {
      // A replaced key expires without a bus message.
      this.#checkAgents();
      await this.#endTokens();
      await this.#endApiKeys();
      // Not awaited, because a slow poll for missed events must not delay the next poll for
      // revocations.
      this.#deps.poll();
    }
    this.#since = startedAt - clockTolerance;
  }

  /**
   * Ends the connections of tokens that were recently revoked or made to expire, with one query for any
   * number of connections. Tokens that expire by themselves, which are many, are not read.
   */
  async #endTokens(): Promise<void> {
    const rows = await this.#services.store.priority.db
      .selectFrom('issuances')
      .select(['id', 'revoked_at', 'expired_at'])
      .where(({ or, eb }) =>
        or([eb('revoked_at', '>=', this.#since), eb('expired_at', '>=', this.#since)]),
      )
      .execute();
    for (const { id, revoked_at: revokedAt, expired_at: expiredAt } of rows) {
      const code = revokedAt === null ? 'EMBED_TOKEN_EXPIRED' : 'EMBED_TOKEN_REVOKED';
      this.#deps.end(id, code, Number(revokedAt ?? expiredAt));
    }
  }

  /** Ends the connections of API keys that were revoked or replaced. The table has few rows. */
  async #endApiKeys(): Promise<void> {
    const { clock, store } = this.#services;
    const hasKeys = [...this.#deps.callers()].some(({ kind }) => kind === 'backend');
    if (!hasKeys) return;
    const rows = await store.priority.db
      .selectFrom('api_keys')
      .select('hash')
      .where('ends_at', '<=', clock.now())
      .execute();
    for (const { hash } of rows) this.#deps.end(apiKeyId(hash), 'AUTHENTICATION_ERROR', null);
  }
}
