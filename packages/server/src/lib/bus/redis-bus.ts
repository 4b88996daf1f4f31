import type { Clock } from '../clock.ts';
import type { Logger } from '../log/logger.ts';
import { newId, type Random } from '../random.ts';
import { type RedisClient, RedisLink } from '../redis/redis-link.ts';
import type { Bus, BusListener, BusMessage, Subscription } from './bus.ts';
import { Listeners } from './listeners.ts';
import { decodeEnvelope, encodeEnvelope } from './wire.ts';

/** Maximum number of channels per subscribe command on a new connection. */
const channelsPerCommand = 1_000;
/** Milliseconds until a failed subscription is retried. */
const retryDelay = 1_000;
/** Maximum characters of all messages that are being sent. Further messages are dropped. */
const maxPendingCharacters = 8_000_000;

export interface RedisBusOptions {
  url: string;
  log: Logger;
  clock: Clock;
  random: Random;
}

/**
 * Creates a bus between processes, on Redis pub/sub. A `StoredChange` is published on the common
 * channel, to which all processes subscribe; a `SessionMessage` on the channel of its session, so that
 * only processes that follow the session receive it.
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
  readonly #failedChannels = new Set<string>();
  #cancelRetry: () => void = () => {};
  /** Time after which this process has missed no message, in milliseconds since the epoch. */
  #completeSince = Number.POSITIVE_INFINITY;
  /** Whether other processes may have missed messages of this process. */
  #hasDropped = false;
  #pendingCharacters = 0;

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
      onUp: () => this.#handleUp(),
      onDown: () => {
        this.#completeSince = Number.POSITIVE_INFINITY;
        this.#hasDropped = true;
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
    this.#listeners.notify(message, 'here');
    const channel =
      'sessionId' in message ? this.#channelOf(message.sessionId) : this.#commonChannel;
    // Not awaited, so that no request waits for Redis.
    if (this.#link.isUp) void this.#send(channel, encodeEnvelope({ from: this.#name, message }));
    else this.#hasDropped = true;
  }

  subscribe(listener: BusListener): () => void {
    return this.#listeners.add(listener);
  }

  follow(sessionId: string): Subscription {
    const channel = this.#channelOf(sessionId);
    this.#followers.set(channel, (this.#followers.get(channel) ?? 0) + 1);
    const ready = this.#link
      .run((client) => client.subscribe(channel, this.#handle).then(() => true))
      .then((isSubscribed) => {
        if (!isSubscribed) this.#scheduleRetry(channel);
      });
    let hasEnded = false;
    return {
      ready,
      end: () => {
        if (hasEnded) return;
        hasEnded = true;
        const remaining = (this.#followers.get(channel) ?? 1) - 1;
        if (remaining > 0) {
          this.#followers.set(channel, remaining);
        } else {
          this.#followers.delete(channel);
          void this.#link.send((client) => client.unsubscribe(channel, this.#handle));
        }
      },
    };
  }

  mayHaveMissed(since: number): boolean {
    return !this.#link.isUp || this.#failedChannels.size > 0 || this.#completeSince > since;
  }

  close(): Promise<void> {
    this.#followers.clear();
    this.#cancelRetry();
    return this.#link.close();
  }

  get #commonChannel(): string {
    return `${this.#prefix}all`;
  }

  #channelOf(sessionId: string): string {
    return `${this.#prefix}session:${sessionId}`;
  }

  /** Subscribes a new connection to the common channel and to the channels of followed sessions. */
  async #prepare(client: RedisClient): Promise<void> {
    this.#failedChannels.clear();
    const channels = [this.#commonChannel, ...this.#followers.keys()];
    for (let index = 0; index < channels.length; index += channelsPerCommand) {
      await client.subscribe(channels.slice(index, index + channelsPerCommand), this.#handle);
    }
    this.#completeSince = this.#options.clock.now();
  }

  /** Schedules another attempt to subscribe to a channel. */
  #scheduleRetry(channel: string): void {
    this.#failedChannels.add(channel);
    this.#cancelRetry();
    this.#cancelRetry = this.#options.clock.after(retryDelay, () => void this.#retry());
  }

  async #retry(): Promise<void> {
    const channels = [...this.#failedChannels].filter((channel) => this.#followers.has(channel));
    this.#failedChannels.clear();
    if (channels.length === 0) return;
    const isSubscribed = await this.#link.run((client) =>
      client.subscribe(channels, this.#handle).then(() => true),
    );
    if (this.#link.isUp) this.#completeSince = this.#options.clock.now();
    if (!isSubscribed) for (const channel of channels) this.#scheduleRetry(channel);
  }

  #handleUp(): void {
    void this.#retry();
    if (!this.#hasDropped) return;
    this.#hasDropped = false;
    void this.#send(
      this.#commonChannel,
      encodeEnvelope({ from: this.#name, message: { kind: 'was_away' } }),
    );
  }

  async #send(channel: string, text: string): Promise<void> {
    if (this.#pendingCharacters + text.length > maxPendingCharacters) {
      this.#hasDropped = true;
      return;
    }
    const receivers = await this.#link.send((client) => {
      this.#pendingCharacters += text.length;
      return client.publish(channel, text).finally(() => {
        this.#pendingCharacters -= text.length;
      });
    });
    if (receivers === undefined) this.#hasDropped = true;
    else if (this.#hasDropped) this.#handleUp();
  }

  readonly #handle = (text: string): void => {
    const envelope = decodeEnvelope(text);
    if (!envelope) {
      this.#options.log.warn('a message on the bus was not understood', { length: text.length });
      return;
    }
    if (envelope.from === this.#name) return;
    if (envelope.message.kind === 'was_away') this.#completeSince = this.#options.clock.now();
    else this.#listeners.notify(envelope.message, 'elsewhere');
  };
}
