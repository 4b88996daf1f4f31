import { createClient, ErrorReply } from '@redis/client';
import type { Clock } from '../clock.ts';
import { ConfigError } from '../config/parse-config.ts';
import { describeError, type Logger } from '../log/logger.ts';
import type { Random } from '../random.ts';

/** Milliseconds without a reply after which a command has failed. */
const commandTimeout = 500;
/** Milliseconds between two health checks. */
const checkInterval = 1_000;
/** Milliseconds without a reply to a health check after which the connection is lost. */
const checkTimeout = 2_000;
/** Maximum milliseconds for connecting. */
const connectTimeout = 2_000;
/** Milliseconds before the second connection attempt; doubled for each further attempt. */
const firstDelay = 50;
/** Maximum milliseconds between two attempts. There is no maximum number of attempts. */
const maxDelay = 2_000;
/** Maximum commands in progress. Further commands are dropped. */
const maxPending = 10_000;

export type RedisClient = ReturnType<typeof open>;

/** Options of a connection to Redis. */
export interface RedisLinkOptions {
  /** `redis://` or `rediss://` URL, possibly with a password. Never logged. */
  url: string;
  /** Purpose of the connection, for the log and for `CLIENT LIST`. */
  use: string;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Prepares each new connection. If it rejects, the connection is closed and replaced. */
  prepare?: (client: RedisClient) => Promise<unknown>;
  /** Called when the connection is usable, initially and after each interruption. */
  onUp?: () => void;
  /** Called when the connection is lost. */
  onDown?: () => void;
}

/**
 * A connection to Redis that reconnects automatically. Callers never wait for a reconnection: without
 * a usable connection, commands are dropped.
 */
export class RedisLink {
  readonly #options: RedisLinkOptions;
  #client: RedisClient | null = null;
  /** Whether a command has timed out. No command is sent until a health check succeeds. */
  #isSuspended = false;
  /** The client whose health check is pending. */
  #checking: RedisClient | null = null;
  #pending = 0;
  #attempts = 0;
  #isClosed = false;
  /** Whether the current interruption has been logged. */
  #isReported = false;
  /** Cancels the scheduled health check or connection attempt. */
  #cancelTimer: () => void = () => {};

  constructor(options: RedisLinkOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#client !== null && !this.#isSuspended;
  }

  /**
   * Connects. Also resolves if Redis is unavailable, and then retries.
   *
   * @throws ConfigError If Redis rejects the connection, because retries would be rejected too.
   */
  async start(): Promise<void> {
    const error = await this.#connect();
    if (error === null) return;
    if (isRefusal(error)) {
      await this.close();
      throw new ConfigError(
        `The Redis of REDIS_URL rejects the connection: ${describe(error).replace(/\.$/, '')}. Check its user, password, database number and scheme: \`redis://\`, or \`rediss://\` with TLS.`,
        { cause: error },
      );
    }
    this.#report(error);
    this.#retry();
  }

  /**
   * Runs a command. Resolves with undefined if Redis is unavailable, returns an error or times out.
   * Never rejects.
   */
  async run<Reply>(command: (client: RedisClient) => Promise<Reply>): Promise<Reply | undefined> {
    const client = this.#client;
    try {
      return await this.#within(commandTimeout, this.#issue(command));
    } catch (error) {
      if (client && error instanceof CommandTimeoutError) this.#suspend(client);
      this.#report(error);
      return undefined;
    }
  }

  /** Like `run`, but without a timeout. For commands whose result no caller awaits. */
  async send<Reply>(command: (client: RedisClient) => Promise<Reply>): Promise<Reply | undefined> {
    try {
      return await this.#issue(command);
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  /** Sends pending commands and disconnects. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    const client = this.#client;
    this.#client = null;
    if (!client) return;
    await this.#within(commandTimeout, client.close()).catch(() => {});
    client.destroy();
  }

  async #issue<Reply>(
    command: (client: RedisClient) => Promise<Reply>,
  ): Promise<Reply | undefined> {
    const client = this.#client;
    if (!client || this.#isSuspended || this.#pending >= maxPending) return undefined;
    this.#pending += 1;
    try {
      return await command(client);
    } finally {
      this.#pending -= 1;
    }
  }

  /** Opens a connection. Resolves with null on success, and with the error otherwise. */
  async #connect(): Promise<unknown> {
    const client = open(this.#options);
    let isLost = false;
    client.on('error', (error: unknown) => {
      isLost = true;
      this.#handleLoss(client, error);
    });
    try {
      await this.#within(connectTimeout, client.connect());
      await this.#within(connectTimeout, Promise.resolve(this.#options.prepare?.(client)));
      if (isLost) throw new Error('the connection was lost immediately');
    } catch (error) {
      client.destroy();
      return error;
    }
    if (this.#isClosed) {
      client.destroy();
      return null;
    }
    this.#client = client;
    this.#attempts = 0;
    this.#resume();
    this.#scheduleCheck(client);
    return null;
  }

  /** Sends commands again. */
  #resume(): void {
    this.#isSuspended = false;
    if (this.#isReported)
      this.#options.log.info('Redis is reachable again', { use: this.#options.use });
    this.#isReported = false;
    this.#options.onUp?.();
  }

  /**
   * Schedules the next connection attempt. The delay has random jitter, so that processes do not
   * reconnect at the same time.
   */
  #retry(): void {
    if (this.#isClosed) return;
    const [byte = 0] = this.#options.random.bytes(1);
    const pause = Math.min(maxDelay, firstDelay * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 16);
    this.#cancelTimer = this.#options.clock.after(pause * (0.5 + byte / 512), () => {
      void this.#connect().then((error) => {
        if (error === null) return;
        this.#report(error);
        this.#retry();
      });
    });
  }

  /** Stops sending commands, and starts a health check. */
  #suspend(client: RedisClient): void {
    if (this.#client !== client || this.#isSuspended) return;
    this.#isSuspended = true;
    this.#cancelTimer();
    this.#checkHealth(client);
  }

  /** Schedules a health check: a broken network may drop packets without an error. */
  #scheduleCheck(client: RedisClient): void {
    this.#cancelTimer = this.#options.clock.after(checkInterval, () => this.#checkHealth(client));
  }

  #checkHealth(client: RedisClient): void {
    if (this.#checking === client) return;
    this.#checking = client;
    this.#within(checkTimeout, client.ping()).then(
      () => {
        if (this.#client !== client) return;
        this.#checking = null;
        if (this.#isSuspended) this.#resume();
        this.#scheduleCheck(client);
      },
      (error: unknown) => this.#handleLoss(client, error),
    );
  }

  #handleLoss(client: RedisClient, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#cancelTimer();
    client.destroy();
    this.#report(error);
    this.#options.onDown?.();
    this.#retry();
  }

  /** Logs an error once per interruption. */
  #report(error: unknown): void {
    if (this.#isReported || this.#isClosed) return;
    this.#isReported = true;
    this.#options.log.warn('Redis does not respond; continuing without it', {
      use: this.#options.use,
      ...describeError(error),
    });
  }

  #within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const cancel = this.#options.clock.after(milliseconds, () => {
        // If this process was blocked, the reply may already have arrived: `setImmediate` lets it be
        // read first.
        setImmediate(() => reject(new CommandTimeoutError(`no reply within ${milliseconds} ms`)));
      });
      work.finally(cancel).then(resolve, reject);
    });
  }
}

class CommandTimeoutError extends Error {
  override readonly name = 'CommandTimeoutError';
}

function open({ url, use }: RedisLinkOptions) {
  return createClient({
    url,
    name: `inlay-${use}`,
    // RESP 3 allows subscriptions and commands on the same connection.
    RESP: 3,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    disableOfflineQueue: true,
    // `RedisLink` reconnects itself, because it also replaces open connections that do not respond.
    socket: { connectTimeout, reconnectStrategy: false },
  });
}

/**
 * Whether Redis is reachable but rejects the connection: wrong password, missing database, TLS
 * mismatch.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof ErrorReply) return !/^(LOADING|BUSY|MASTERDOWN|ERR max)/.test(error.message);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(EPROTO|ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(code);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
