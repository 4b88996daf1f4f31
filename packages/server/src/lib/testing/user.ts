import type { LogEvent } from '@inlay/protocol';
import { expect } from 'vitest';
import { sleep, systemClock } from '../clock.ts';
import type { PlatformApi } from './platform-api.ts';
import { message } from './setup-conversation.ts';

/** Milliseconds until a failed request is repeated, and between two messages of a user. */
const retryDelay = 100;

/** A user who sends messages and reads the stream, and reconnects after each lost connection. */
export class User {
  readonly read: LogEvent[] = [];
  sent = 0;
  /** Number of streams that ended early or could not be opened. */
  disconnections = 0;
  readonly #api: PlatformApi;
  readonly #token: string;
  readonly #id: string;
  #hasSentAll = false;

  constructor(api: PlatformApi, token: string, id: string) {
    this.#api = api;
    this.#token = token;
    this.#id = id;
  }

  static async create(api: PlatformApi, user: string): Promise<User> {
    const { token } = await api.issue(user);
    const created = await api.call(token, 'POST', '/sessions', {});
    const { id } = (await created.json()) as { id: string };
    return new User(api, token, id);
  }

  /** Reads until the response to the last message has arrived. */
  async follow(): Promise<void> {
    let lastId = '0';
    while (!this.#hasReadAll) {
      try {
        const stream = await this.#api.follow(this.#token, this.#id, lastId);
        while (!this.#hasReadAll) {
          const { id, data } = await stream.until(() => true);
          if (id !== undefined) lastId = id;
          if ('seq' in data) this.read.push(data as unknown as LogEvent);
        }
        stream.cut();
      } catch {
        this.disconnections += 1;
        await sleep(systemClock, retryDelay);
      }
    }
  }

  /** Sends messages one after another, and repeats each of them until it is accepted. */
  async sendMessages(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      this.sent += 1;
      await this.#send(this.sent);
      await sleep(systemClock, retryDelay);
    }
    this.#hasSentAll = true;
  }

  /** Checks that the user has read each event of the log once, and that it has each message once. */
  async expectCompleteLog(): Promise<LogEvent[]> {
    const log = await this.log();
    expect(this.read).toEqual(log);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    const texts = log.filter(({ type }) => type === 'user.message').map((e) => JSON.stringify(e));
    expect(texts).toHaveLength(this.sent);
    for (let n = 1; n <= this.sent; n += 1) {
      expect(texts.filter((text) => text.includes(`"number ${n}"`))).toHaveLength(1);
    }
    return log;
  }

  async log(): Promise<LogEvent[]> {
    const events: LogEvent[] = [];
    for (let more = true; more; ) {
      const after = events.at(-1)?.seq ?? 0;
      const path = `/sessions/${this.#id}/events?limit=200&after_seq=${after}`;
      const page = await this.#api.call(this.#token, 'GET', path);
      const { data } = (await page.json()) as { data: LogEvent[] };
      events.push(...data);
      more = data.length > 0;
    }
    return events;
  }

  async #send(number: number): Promise<void> {
    const path = `/sessions/${this.#id}/events`;
    const body = { events: [message(`number ${number}`)] };
    const headers = { 'idempotency-key': `message-${number}` };
    for (;;) {
      const response = await this.#api
        .call(this.#token, 'POST', path, body, headers)
        .catch(() => null);
      if (response?.status === 200) return;
      if (response && response.status < 500) throw new Error(await response.text());
      await sleep(systemClock, retryDelay);
    }
  }

  get #hasReadAll(): boolean {
    return (
      this.#hasSentAll &&
      this.read.at(-1)?.type === 'session.status_idle' &&
      this.read.filter(({ type }) => type === 'user.message').length === this.sent
    );
  }
}
