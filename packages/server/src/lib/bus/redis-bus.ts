import type { Logger } from '../log/logger.ts';
import type { Clock } from '../ports/clock.ts';
import { newId, type Random } from '../ports/random.ts';
import { type RedisClient, RedisLink } from '../redis/redis-link.ts';
import type { Bus, BusListener, BusMessage, Followed } from './bus.ts';
import { Listeners } from './listeners.ts';
import { decode, encode } from './wire.ts';

/** Channels that are asked for in one command when the connection is new. */
const subscribedAtOnce = 1_000;
/** Milliseconds until a channel is asked for again. */
const askAgainTime = 1_000;
/** Characters on their way to Redis. Where there are more, further messages are dropped. */
const mostUnderWay = 8_000_000;

export interface RedisBusOptions {
  url: string;
  log: Logger;
  clock: Clock;
  random: Random;
}

/**
 * The bus between processes, on Redis pub/sub. Decisions go to one channel that every process hears;
 * what happens in a session goes to a channel of its own, and so only to processes that follow it.
 *
 * Messages are hints: while Redis is away they are dropped, and whoever should have heard them finds
 * out from the store. Rejects with a `ConfigError` where Redis is there and refuses.
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
  /** How many here follow each session. */
  readonly #followers = new Map<string, number>();
  /** Channels that were asked for while nothing went through. */
  readonly #late = new Set<string>();
  #cancelAsking: () => void = () => {};
  /** Since when everything has come here. */
  #wholeSince = Number.POSITIVE_INFINITY;
  /** Something that was published here has reached nobody else. */
  #wasAway = false;
  #underWay = 0;

  constructor(options: RedisBusOptions) {
    this.#options = options;
    this.#name = newId(options.random, 'proc_');
    // Databases of a Redis have keys of their own, but channels in common.
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
    // Not awaited: nobody's request waits for Redis.
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

  /** A new connection knows of no channel yet. */
  async #prepare(client: RedisClient): Promise<void> {
    this.#late.clear();
    const channels = [this.#forAll, ...this.#followers.keys()];
    for (let at = 0; at < channels.length; at += subscribedAtOnce) {
      await client.subscribe(channels.slice(at, at + subscribedAtOnce), this.#hear);
    }
    this.#wholeSince = this.#options.clock.now();
  }

  /** Again, for a channel that could not be asked for. */
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
