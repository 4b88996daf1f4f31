import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { CallLimits } from '../config/embed-policy.ts';
import type { Logger } from '../log/logger.ts';
import { newId, type Random } from '../random.ts';
import { RedisLink } from '../redis/redis-link.ts';
import { redisScript } from '../redis/redis-script.ts';
import { createInProcessLimiter } from './in-process-limiter.ts';
import { aliveScript, allowScript, beginScript } from './limit-scripts.ts';
import type { Admission, Allowance, Limiter } from './limiter.ts';

/** Milliseconds after which the requests of a killed process no longer count. */
const aliveTime = 15_000;
/** Milliseconds between two heartbeats. */
const aliveInterval = 5_000;

const prefix = 'inlay:limit:';
const processes = `${prefix}processes`;

const begin = redisScript(beginScript);
const allow = redisScript(allowScript);
const sayAlive = redisScript(aliveScript);

const BeginReply = z.tuple([z.enum(['', 'rate', 'concurrency']), z.number(), z.number()]);
const AllowReply = z.tuple([z.literal([0, 1]), z.number()]);

export interface RedisLimiterOptions {
  url: string;
  log: Logger;
  clock: Clock;
  random: Random;
}

/** A limiter with a connection that must be closed. */
export interface SharedLimiter extends Limiter {
  /** Removes the counts of this process. Idempotent. */
  close(): Promise<void>;
}

/**
 * A limiter that processes share through Redis. While Redis is unavailable each process counts by
 * itself: callers may then exceed their limits, but are never limited further.
 */
export async function createRedisLimiter(options: RedisLimiterOptions): Promise<SharedLimiter> {
  const limiter = new RedisLimiter(options);
  await limiter.start();
  return limiter;
}

/** Requests of one subject in progress in this process. */
interface InProgress {
  count: number;
  /** The count that was last sent to Redis. */
  sent: number;
}

class RedisLimiter implements SharedLimiter {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #link: RedisLink;
  readonly #alone: Limiter;
  readonly #underWay = new Map<string, InProgress>();
  #asked = 0;
  #isClosed = false;
  #cancel: () => void = () => {};

  constructor(options: RedisLimiterOptions) {
    this.#clock = options.clock;
    this.#name = newId(options.random, 'proc_');
    this.#alone = createInProcessLimiter(options.clock);
    this.#link = new RedisLink({
      ...options,
      use: 'limits',
      prepare: (client) => sayAlive(client, [processes], [this.#name, aliveTime]),
      onUp: () => void this.#sendAllCounts(),
    });
  }

  async start(): Promise<void> {
    await this.#link.start();
    this.#stayAlive();
  }

  async begin(subject: string, limits: CallLimits): Promise<Admission> {
    const state = this.#underWay.get(subject) ?? { count: 0, sent: 0 };
    this.#underWay.set(subject, state);
    state.count += 1;
    const mine = state.count;
    this.#asked += 1;
    const keys = [`${prefix}rate:${subject}`, `${prefix}places:${subject}`, processes];
    const limit = limits.requests_per_second;
    const values = [limit, limits.concurrent, this.#name, mine, `${this.#name}:${this.#asked}`];
    const reply = BeginReply.safeParse(
      await this.#link.run((client) => begin(client, keys, values)),
    );
    if (!reply.success) return this.#beginAlone(subject, limits);
    const [why, counted, resetMs] = reply.data;
    if (why !== '') {
      this.#end(subject);
      const remaining = Math.max(0, limit - counted);
      return { refused: why, limit, remaining, resetMs, release() {} };
    }
    state.sent = mine;
    this.#sendCount(subject);
    const remaining = Math.max(0, limit - counted - 1);
    return { refused: null, limit, remaining, resetMs, release: once(() => this.#end(subject)) };
  }

  async allow(subject: string, limit: { maximum: number; windowMs: number }): Promise<Allowance> {
    this.#asked += 1;
    const keys = [`${prefix}window:${subject}`];
    const values = [limit.maximum, limit.windowMs, `${this.#name}:${this.#asked}`];
    const reply = AllowReply.safeParse(
      await this.#link.run((client) => allow(client, keys, values)),
    );
    if (!reply.success) return this.#alone.allow(subject, limit);
    const [allowed, retryAfterMs] = reply.data;
    return { allowed: allowed === 1, retryAfterMs };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#link.run((client) => client.zRem(processes, this.#name));
    await this.#link.close();
  }

  async #beginAlone(subject: string, limits: CallLimits): Promise<Admission> {
    const admission = await this.#alone.begin(subject, limits);
    const release = once(() => {
      admission.release();
      this.#end(subject);
    });
    if (admission.refused) release();
    return { ...admission, release };
  }

  #end(subject: string): void {
    const state = this.#underWay.get(subject);
    if (!state) return;
    state.count -= 1;
    this.#sendCount(subject);
    if (state.count === 0) this.#underWay.delete(subject);
  }

  /**
   * Sends the absolute count, not a difference, so that a lost message causes no permanent error.
   */
  #sendCount(subject: string): void {
    const state = this.#underWay.get(subject);
    if (!state || state.sent <= state.count) return;
    state.sent = state.count;
    void this.#send(subject, state.count);
  }

  async #send(subject: string, count: number): Promise<void> {
    const key = `${prefix}places:${subject}`;
    await this.#link.send<unknown>((client) =>
      count === 0 ? client.hDel(key, this.#name) : client.hSet(key, this.#name, count),
    );
  }

  /**
   * Sends all counts again after Redis may have lost them; one by one, because there may be many.
   */
  async #sendAllCounts(): Promise<void> {
    for (const subject of [...this.#underWay.keys()]) {
      if (!this.#link.isUp) return;
      const count = this.#underWay.get(subject)?.count ?? 0;
      if (count > 0) await this.#send(subject, count);
    }
  }

  #stayAlive(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#clock.after(aliveInterval, () => {
      void this.#link
        .send((client) => sayAlive(client, [processes], [this.#name, aliveTime]))
        .then(() => this.#stayAlive());
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
