import type { Logger } from '../log/logger.ts';
import type { Clock } from '../ports/clock.ts';
import { newId, type Random } from '../ports/random.ts';
import { type RedisClient, RedisLink } from '../redis/redis-link.ts';
import type { Bus, BusListener, BusMessage, Followed } from './bus.ts';
import { Listeners } from './listeners.ts';
import { decode, encode } from './wire.ts';

/** Maximum channels per subscribe command on a new connection. */
const subscribedAtOnce = 1_000;
/** Milliseconds until a failed subscription is retried. */
const askAgainTime = 1_000;
/** Maximum characters of messages being sent. Further messages are dropped. */
const mostUnderWay = 8_000_000;

export interface RedisBusOptions {
  url: string;
  log: Logger;
  clock: Clock;
  random: Random;
}

/**
 * A bus between processes, on Redis pub/sub. Decisions use one channel that all processes subscribe
 * to; messages about a session use a channel per session, so that only processes that follow the
 * session receive them.
 *
 * Delivery is best effort: while Redis is unavailable messages are dropped, and processes find the
 * changes in the store.
 *
 * @throws ConfigError If Redis rejects the connection.
 */
export async function createRedisBus(options: RedisBusOptions): Promise<Bus> {
  const bus = new RedisBus(options);
  await bus.start();
  return bus;
}

class RedisBus implements Bus {
  readonly #options: RedisBusOptions;
  readonly #name: string;
  readonly #prefix: string;
  readonly #listeners: Listeners;
  readonly #link: RedisLink;
  /** Number of followers of each session in this process. */
  readonly #followers = new Map<string, number>();
  /** Channels whose subscription has failed and will be retried. */
  readonly #late = new Set<string>();
  #cancelAsking: () => void = () => {};
  /** Since when no message can have been missed, in milliseconds since the epoch. */
  #wholeSince = Number.POSITIVE_INFINITY;
  /** Whether messages of this process were dropped. */
  #wasAway = false;
  #underWay = 0;

  constructor(options: RedisBusOptions) {
    this.#options = options;
    this.#name = newId(options.random, 'proc_');
    // Redis databases have separate keys but share their channels.
    this.#prefix = `inlay:${new URL(options.url).pathname.slice(1) || '0'}:`;
    this.#listeners = new Listeners(options.log);
    this.#link = new RedisLink({
      ...options,
      use: 'bus',
      prepare: (client) => this.#prepare(client),
      onUp: () => this.#goOn(),
      onDown: () => {
        this.#wholeSince = Number.POSITIVE_INFINITY;
        this.#wasAway = true;
      },
    });
  }

  get state() {
    return this.#link.isUp ? 'redis' : 'redis_down';
  }

  start(): Promise<void> {
    return this.#link.start();
  }

  async publish(message: BusMessage): Promise<void> {
    this.#listeners.tell(message, 'here');
    const channel = 'sessionId' in message ? this.#channelOf(message.sessionId) : this.#forAll;
    // Not awaited, so that no request waits for Redis.
    if (this.#link.isUp) void this.#send(channel, encode({ from: this.#name, message }));
    else this.#wasAway = true;
  }

  subscribe(listener: BusListener): () => void {
    return this.#listeners.add(listener);
  }

  follow(sessionId: string): Followed {
    const channel = this.#channelOf(sessionId);
    this.#followers.set(channel, (this.#followers.get(channel) ?? 0) + 1);
    const ready = this.#link
      .run((client) => client.subscribe(channel, this.#hear).then(() => true))
      .then((isHeard) => {
        if (!isHeard) this.#ask(channel);
      });
    let hasEnded = false;
    return {
      ready,
      end: () => {
        if (hasEnded) return;
        hasEnded = true;
        const left = (this.#followers.get(channel) ?? 1) - 1;
        if (left > 0) {
          this.#followers.set(channel, left);
        } else {
          this.#followers.delete(channel);
          void this.#link.send((client) => client.unsubscribe(channel, this.#hear));
        }
      },
    };
  }

  mayHaveMissed(since: number): boolean {
    return !this.#link.isUp || this.#late.size > 0 || this.#wholeSince > since;
  }

  close(): Promise<void> {
    this.#followers.clear();
    this.#cancelAsking();
    return this.#link.close();
  }

  get #forAll(): string {
    return `${this.#prefix}all`;
  }

  #channelOf(sessionId: string): string {
    return `${this.#prefix}session:${sessionId}`;
  }

  /** Subscribes a new connection to all channels. */
  async #prepare(client: RedisClient): Promise<void> {
    this.#late.clear();
    const channels = [this.#forAll, ...this.#followers.keys()];
    for (let at = 0; at < channels.length; at += subscribedAtOnce) {
      await client.subscribe(channels.slice(at, at + subscribedAtOnce), this.#hear);
    }
    this.#wholeSince = this.#options.clock.now();
  }

  /** Schedules another attempt to subscribe to a channel. */
  #ask(channel: string): void {
    this.#late.add(channel);
    this.#cancelAsking();
    this.#cancelAsking = this.#options.clock.after(askAgainTime, () => void this.#askAgain());
  }

  async #askAgain(): Promise<void> {
    const late = [...this.#late].filter((channel) => this.#followers.has(channel));
    this.#late.clear();
    if (late.length === 0) return;
    const isHeard = await this.#link.run((client) =>
      client.subscribe(late, this.#hear).then(() => true),
    );
    if (this.#link.isUp) this.#wholeSince = this.#options.clock.now();
    if (!isHeard) for (const channel of late) this.#ask(channel);
  }

  #goOn(): void {
    void this.#askAgain();
    if (!this.#wasAway) return;
    this.#wasAway = false;
    void this.#send(this.#forAll, encode({ from: this.#name, message: { kind: 'was_away' } }));
  }

  async #send(channel: string, text: string): Promise<void> {
    if (this.#underWay + text.length > mostUnderWay) {
      this.#wasAway = true;
      return;
    }
    const reached = await this.#link.send((client) => {
      this.#underWay += text.length;
      return client.publish(channel, text).finally(() => {
        this.#underWay -= text.length;
      });
    });
    if (reached === undefined) this.#wasAway = true;
    else if (this.#wasAway) this.#goOn();
  }

  readonly #hear = (text: string): void => {
    const envelope = decode(text);
    if (!envelope) {
      this.#options.log.warn('a message on the bus was not understood', { length: text.length });
      return;
    }
    if (envelope.from === this.#name) return;
    if (envelope.message.kind === 'was_away') this.#wholeSince = this.#options.clock.now();
    else this.#listeners.tell(envelope.message, 'elsewhere');
  };
}
