import { createClient, ErrorReply } from '@redis/client';
import { ConfigError } from '../config/parse-config.ts';
import { describeError, type Logger } from '../log/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';

/** Milliseconds that a command may take before whoever asked goes on without the answer. */
const commandTime = 500;
/** Milliseconds between two looks whether Redis still answers. */
const lookInterval = 1_000;
/** Milliseconds that a look may take. After that the connection counts as lost. */
const lookTime = 2_000;
/** Milliseconds that connecting may take. */
const connectTime = 2_000;
/** Milliseconds before the second attempt to connect; doubled for each further one. */
const firstPause = 50;
/** The pause grows no longer. Attempts go on for ever. */
const longestPause = 2_000;
/** Commands without an answer. Where there are more, further ones are dropped. */
const mostPending = 10_000;

export type RedisClient = ReturnType<typeof open>;

export interface RedisLinkOptions {
  /** `redis://` or `rediss://`, with whatever password it needs. Never logged. */
  url: string;
  /** What it is used for, for the log and for `CLIENT LIST`. */
  use: string;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Prepares every new connection before commands go through it. Where it rejects, another is made. */
  prepare?: (client: RedisClient) => Promise<unknown>;
  /** Commands go through, for the first time or again. */
  onUp?: () => void;
  /** The connection is gone. */
  onDown?: () => void;
}

/**
 * A connection to Redis that comes back by itself. Nothing waits for it: a command that cannot be
 * answered soon is dropped, and whoever sent it goes on without.
 */
export class RedisLink {
  readonly #options: RedisLinkOptions;
  #client: RedisClient | null = null;
  /** A command was not answered in time. Nothing is sent until a look was. */
  #isSilent = false;
  /** The one that was asked for a sign of life and has not answered yet. */
  #asked: RedisClient | null = null;
  #pending = 0;
  #attempts = 0;
  #isClosed = false;
  #isReported = false;
  #cancel: () => void = () => {};

  constructor(options: RedisLinkOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#client !== null && !this.#isSilent;
  }

  /**
   * Connects. Resolves also where Redis is away: it is tried again, and again. Rejects with a
   * `ConfigError` where it is there and refuses, because trying again would not help.
   */
  async start(): Promise<void> {
    const error = await this.#connect();
    if (error === null) return;
    if (isRefusal(error)) {
      await this.close();
      throw new ConfigError(
        `REDIS_URL names a Redis that refuses: ${describe(error).replace(/\.$/, '')}. Check user, password, database number and \`redis://\` or \`rediss://\` (TLS) in it.`,
        { cause: error },
      );
    }
    this.#report(error);
    this.#retry();
  }

  /** Undefined where Redis is away, refuses, or does not answer in time. Never rejects. */
  async run<Reply>(command: (client: RedisClient) => Promise<Reply>): Promise<Reply | undefined> {
    const client = this.#client;
    try {
      return await this.#within(commandTime, this.#issue(command));
    } catch (error) {
      if (client && error instanceof TookTooLongError) this.#fallSilent(client);
      this.#report(error);
      return undefined;
    }
  }

  /** The same where nobody waits for the answer, so that it may take its time. */
  async send<Reply>(command: (client: RedisClient) => Promise<Reply>): Promise<Reply | undefined> {
    try {
      return await this.#issue(command);
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  /** Sends what is under way and hangs up. Twice is fine. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    const client = this.#client;
    this.#client = null;
    if (!client) return;
    await this.#within(commandTime, client.close()).catch(() => {});
    client.destroy();
  }

  async #issue<Reply>(
    command: (client: RedisClient) => Promise<Reply>,
  ): Promise<Reply | undefined> {
    const client = this.#client;
    if (!client || this.#isSilent || this.#pending >= mostPending) return undefined;
    this.#pending += 1;
    try {
      return await command(client);
    } finally {
      this.#pending -= 1;
    }
  }

  /** Null where it came about; the error otherwise. */
  async #connect(): Promise<unknown> {
    const client = open(this.#options);
    let isLost = false;
    client.on('error', (error: unknown) => {
      isLost = true;
      this.#lose(client, error);
    });
    try {
      await this.#within(connectTime, client.connect());
      await this.#within(connectTime, Promise.resolve(this.#options.prepare?.(client)));
      if (isLost) throw new Error('the connection was lost at once');
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
    this.#serve();
    this.#look(client);
    return null;
  }

  #serve(): void {
    this.#isSilent = false;
    if (this.#isReported) this.#options.log.info('Redis is back', { use: this.#options.use });
    this.#isReported = false;
    this.#options.onUp?.();
  }

  /** The pause is a random share of its length, so that processes do not come back all at once. */
  #retry(): void {
    if (this.#isClosed) return;
    const [byte = 0] = this.#options.random.bytes(1);
    const pause = Math.min(longestPause, firstPause * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 16);
    this.#cancel = this.#options.clock.after(pause * (0.5 + byte / 512), () => {
      void this.#connect().then((error) => {
        if (error === null) return;
        this.#report(error);
        this.#retry();
      });
    });
  }

  /** Nothing more is sent until there is a sign of life, which is asked for at once. */
  #fallSilent(client: RedisClient): void {
    if (this.#client !== client || this.#isSilent) return;
    this.#isSilent = true;
    this.#cancel();
    this.#askForLife(client);
  }

  /** A network that swallows everything reports nothing, so a sign of life is asked for now and then. */
  #look(client: RedisClient): void {
    this.#cancel = this.#options.clock.after(lookInterval, () => this.#askForLife(client));
  }

  #askForLife(client: RedisClient): void {
    if (this.#asked === client) return;
    this.#asked = client;
    this.#within(lookTime, client.ping()).then(
      () => {
        if (this.#client !== client) return;
        this.#asked = null;
        if (this.#isSilent) this.#serve();
        this.#look(client);
      },
      (error: unknown) => this.#lose(client, error),
    );
  }

  #lose(client: RedisClient, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#cancel();
    client.destroy();
    this.#report(error);
    this.#options.onDown?.();
    this.#retry();
  }

  /** Once for each time that it is away. */
  #report(error: unknown): void {
    if (this.#isReported || this.#isClosed) return;
    this.#isReported = true;
    this.#options.log.warn('Redis does not answer; going on without it', {
      use: this.#options.use,
      ...describeError(error),
    });
  }

  #within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const cancel = this.#options.clock.after(milliseconds, () => {
        // Where it was this process that stood still, the answer lies there and is read first.
        setImmediate(() => reject(new TookTooLongError(`no answer within ${milliseconds} ms`)));
      });
      work.finally(cancel).then(resolve, reject);
    });
  }
}

class TookTooLongError extends Error {
  override readonly name = 'TookTooLongError';
}

function open({ url, use }: RedisLinkOptions) {
  return createClient({
    url,
    name: `inlay-${use}`,
    // With the third version of the protocol one connection both listens and sends.
    RESP: 3,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    disableOfflineQueue: true,
    // Reconnecting is done here, so that a connection which is open and silent is replaced as well.
    socket: { connectTimeout: connectTime, reconnectStrategy: false },
  });
}

/** It is there, and says no: a wrong password, a database that it has not, TLS on one side only. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ErrorReply) return !/^(LOADING|BUSY|MASTERDOWN|ERR max)/.test(error.message);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(EPROTO|ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(code);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
