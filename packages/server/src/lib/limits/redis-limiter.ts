import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { CallLimits } from '../config/embed-policy.ts';
import type { Logger } from '../log/logger.ts';
import { newId, type Random } from '../random.ts';
import type { RedisClient } from '../redis/redis-link.ts';
import { RedisLink } from '../redis/redis-link.ts';
import { createInProcessLimiter } from './in-process-limiter.ts';
import { admitScript, allowScript, heartbeatScript, takeScript } from './limit-scripts.ts';
import {
  type Admission,
  type AmountDecision,
  type AmountWindow,
  type Limiter,
  partsOfWindow,
  type WindowDecision,
} from './limiter.ts';

/** Runs a Lua script. */
type RedisScript = (
  client: RedisClient,
  keys: string[],
  values: readonly (string | number)[],
) => Promise<unknown>;

/** Creates a function that runs a Lua script, and sends its text only if Redis does not have it yet. */
function redisScript(text: string): RedisScript {
  const hash = createHash('sha1').update(text).digest('hex');
  return async (client, keys, values) => {
    const options = { keys, arguments: values.map(String) };
    try {
      return await client.evalSha(hash, options);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) {
        return client.eval(text, options);
      }
      throw error;
    }
  };
}

/** Milliseconds after which the requests of a killed process no longer count. */
const heartbeatLifetime = 15_000;
/** Milliseconds between two heartbeats. */
const heartbeatInterval = 5_000;

const prefix = 'inlay:limit:';
const processes = `${prefix}processes`;

const admit = redisScript(admitScript);
const allow = redisScript(allowScript);
const take = redisScript(takeScript);
const sendHeartbeat = redisScript(heartbeatScript);

const AdmitReply = z.tuple([z.enum(['', 'rate', 'concurrency']), z.number(), z.number()]);
const AllowReply = z.tuple([z.literal([0, 1]), z.number()]);
const TakeReply = AllowReply;

export interface RedisLimiterOptions {
  url: string;
  log: Logger;
  clock: Clock;
  random: Random;
}

/** A limiter with a connection that must be closed. */
export interface SharedLimiter extends Limiter {
  /** Ends the counting of this process's requests, and closes the connection. Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates a limiter that processes share through Redis. While Redis is unavailable, each process
 * counts separately: callers may then exceed their limits, but are never limited more strictly.
 *
 * @throws ConfigError If Redis rejects the connection.
 */
export async function createRedisLimiter(options: RedisLimiterOptions): Promise<SharedLimiter> {
  const limiter = new RedisLimiter(options);
  await limiter.start();
  return limiter;
}

/** Requests of one subject in progress in this process. */
interface InProgress {
  count: number;
  /** The highest count that Redis may have. */
  sent: number;
}

class RedisLimiter implements SharedLimiter {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #link: RedisLink;
  readonly #fallback: Limiter;
  readonly #inProgress = new Map<string, InProgress>();
  /** Subjects whose count did not reach Redis, which may have a higher one. */
  readonly #unsent = new Set<string>();
  #requestCount = 0;
  #isClosed = false;
  #cancel: () => void = () => {};

  constructor(options: RedisLimiterOptions) {
    this.#clock = options.clock;
    this.#name = newId(options.random, 'proc_');
    this.#fallback = createInProcessLimiter(options.clock);
    this.#link = new RedisLink({
      ...options,
      use: 'limits',
      prepare: (client) => sendHeartbeat(client, [processes], [this.#name, heartbeatLifetime]),
      onUp: () => void this.#sendAllCounts(),
    });
  }

  async start(): Promise<void> {
    await this.#link.start();
    this.#scheduleHeartbeat();
  }

  async admit(subject: string, limits: CallLimits): Promise<Admission> {
    const requests = this.#inProgress.get(subject) ?? { count: 0, sent: 0 };
    this.#inProgress.set(subject, requests);
    requests.count += 1;
    const ownCount = requests.count;
    this.#requestCount += 1;
    const keys = [`${prefix}rate:${subject}`, `${prefix}places:${subject}`, processes];
    const limit = limits.requests_per_second;
    const values = [
      limit,
      limits.concurrent,
      this.#name,
      ownCount,
      `${this.#name}:${this.#requestCount}`,
    ];
    const isSent = this.#link.isUp;
    const reply = AdmitReply.safeParse(
      await this.#link.run((client) => admit(client, keys, values)),
    );
    if (!reply.success) {
      // Redis may still execute the script.
      if (isSent) requests.sent = Math.max(requests.sent, ownCount);
      return this.#admitLocally(subject, limits);
    }
    const [refusal, counted, resetMs] = reply.data;
    if (refusal !== '') {
      this.#end(subject);
      const remaining = Math.max(0, limit - counted);
      return { refused: refusal, limit, remaining, resetMs, release() {} };
    }
    requests.sent = ownCount;
    this.#sendCount(subject);
    const remaining = Math.max(0, limit - counted - 1);
    return { refused: null, limit, remaining, resetMs, release: once(() => this.#end(subject)) };
  }

  async allow(
    subject: string,
    limit: { maximum: number; windowMs: number },
  ): Promise<WindowDecision> {
    this.#requestCount += 1;
    const keys = [`${prefix}window:${subject}`];
    const values = [limit.maximum, limit.windowMs, `${this.#name}:${this.#requestCount}`];
    const reply = AllowReply.safeParse(
      await this.#link.run((client) => allow(client, keys, values)),
    );
    if (!reply.success) return this.#fallback.allow(subject, limit);
    const [allowed, retryAfterMs] = reply.data;
    return { allowed: allowed === 1, retryAfterMs };
  }

  async take(subject: string, amount: number, window: AmountWindow): Promise<AmountDecision> {
    const values = [amount, window.maximum, window.windowMs, partsOfWindow];
    const reply = TakeReply.safeParse(
      await this.#link.run((client) => take(client, [`${prefix}amounts:${subject}`], values)),
    );
    if (!reply.success) return this.#fallback.take(subject, amount, window);
    const [allowed, current] = reply.data;
    return { allowed: allowed === 1, current };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#link.run((client) => client.zRem(processes, this.#name));
    await this.#link.close();
  }

  async #admitLocally(subject: string, limits: CallLimits): Promise<Admission> {
    const admission = await this.#fallback.admit(subject, limits);
    const release = once(() => {
      admission.release();
      this.#end(subject);
    });
    if (admission.refused) release();
    return { ...admission, release };
  }

  #end(subject: string): void {
    const requests = this.#inProgress.get(subject);
    if (!requests) return;
    requests.count -= 1;
    this.#sendCount(subject);
    if (requests.count === 0) this.#inProgress.delete(subject);
  }

  /**
   * Sends the count of a subject if it is lower than the last one sent. Sends the count, not the
   * difference, so that a lost message causes no permanent error.
   */
  #sendCount(subject: string): void {
    const requests = this.#inProgress.get(subject);
    if (!requests || requests.sent <= requests.count) return;
    requests.sent = requests.count;
    void this.#send(subject, requests.count);
  }

  async #send(subject: string, count: number): Promise<void> {
    const key = `${prefix}places:${subject}`;
    const reply = await this.#link.send<unknown>((client) =>
      count === 0 ? client.hDel(key, this.#name) : client.hSet(key, this.#name, count),
    );
    if (reply === undefined) this.#unsent.add(subject);
  }

  /**
   * Sends all counts again, because Redis may have lost them, or may not have received them. Sends one
   * at a time, because there may be many.
   */
  async #sendAllCounts(): Promise<void> {
    for (const subject of [...this.#inProgress.keys(), ...this.#unsent]) {
      if (!this.#link.isUp) return;
      const count = this.#inProgress.get(subject)?.count ?? 0;
      if (this.#unsent.delete(subject) || count > 0) await this.#send(subject, count);
    }
  }

  #scheduleHeartbeat(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#clock.after(heartbeatInterval, () => {
      void this.#link
        .send((client) => sendHeartbeat(client, [processes], [this.#name, heartbeatLifetime]))
        .then(() => this.#scheduleHeartbeat());
    });
  }
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}
