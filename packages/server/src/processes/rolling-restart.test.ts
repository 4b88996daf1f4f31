/** Replaces the processes one at a time while users send messages through nginx. */
import type { LogEvent } from '@inlay/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sleep, systemClock } from '../lib/clock.ts';
import { type Cluster, startCluster } from '../lib/testing/cluster.ts';
import type { PlatformApi } from '../lib/testing/platform-api.ts';
import { message } from '../lib/testing/setup-conversation.ts';
import { testOrigin } from '../lib/testing/setup-server.ts';

const unlimited = { requests_per_second: 100_000, concurrent: 1000 };
/** Milliseconds until a failed request is repeated, and between two messages of a user. */
const retryDelay = 100;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({
    streams: { drain_seconds: 20 },
    agents: [
      {
        short_id: 'test',
        name: 'Test agent',
        model: {
          provider: 'scripted',
          delay_ms: 15,
          first_delay_ms: 0,
          script: [{ say: `You said {text}. ${'And so on. '.repeat(10)}` }],
        },
        embed: { allowed_origins: [testOrigin], limits: unlimited },
      },
      {
        short_id: 'slow',
        name: 'Slow agent',
        // An answer of about three seconds.
        model: {
          provider: 'scripted',
          delay_ms: 60,
          first_delay_ms: 0,
          script: [{ say: 'And so on. '.repeat(16) }],
        },
        embed: { allowed_origins: [testOrigin], limits: unlimited },
      },
    ],
  });
});
afterAll(() => cluster.stop());

/** A user who sends messages and reads the stream, and reconnects after each lost connection. */
class User {
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
  async sendMessages(isRestartDone: () => boolean): Promise<void> {
    while (!isRestartDone()) {
      this.sent += 1;
      await this.#send(this.sent);
      await sleep(systemClock, retryDelay);
    }
    this.#hasSentAll = true;
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

describe('a rolling restart', () => {
  it('S07: delivers each event exactly once under load, and a response to the last message of each user', async () => {
    const users = await Promise.all(
      Array.from({ length: 12 }, (_, n) => User.create(cluster.api, `person-${n}`)),
    );
    let isRestartDone = false;
    const activities = users.flatMap((user) => [
      user.follow(),
      user.sendMessages(() => isRestartDone),
    ]);

    for (const number of [0, 1, 2] as const) {
      const stopping = cluster.server(number);
      stopping.child.kill('SIGTERM');
      expect(await stopping.exited).toBe(0);
      await cluster.replace(number);
    }
    isRestartDone = true;
    await Promise.all(activities);

    expect(Math.max(...users.map(({ disconnections }) => disconnections))).toBeGreaterThan(0);
    for (const user of users) {
      const log = await user.log();
      expect(user.read).toEqual(log);
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
      const userMessages = log.filter(({ type }) => type === 'user.message');
      expect(userMessages).toHaveLength(user.sent);
      const texts = userMessages.map((event) => JSON.stringify(event));
      for (let n = 1; n <= user.sent; n += 1) {
        expect(texts.filter((text) => text.includes(`"number ${n}"`))).toHaveLength(1);
      }
      const agentMessages = JSON.stringify(log.filter(({ type }) => type === 'agent.message'));
      expect(agentMessages).toContain(`You said number ${user.sent}.`);
    }
  }, 240_000);

  it('S07: finishes the answers in progress: each model call is made once, and no reader loses an event', async () => {
    const answers = 30;
    const sessions = await Promise.all(
      Array.from({ length: answers }, async (_, n) => {
        const { token } = await cluster.api.issue(`reader-${n}`, { agent: 'slow' });
        const body = { initial_events: [message('Tell me')] };
        const created = await cluster.api.call(token, 'POST', '/sessions', body);
        return { token, id: ((await created.json()) as { id: string }).id };
      }),
    );

    for (const number of [0, 1, 2] as const) {
      const stopping = cluster.server(number);
      stopping.child.kill('SIGTERM');
      expect(await stopping.exited).toBe(0);
      await cluster.replace(number);
    }

    for (const { token, id } of sessions) {
      const types = async () => {
        const page = await cluster.api.call(token, 'GET', `/sessions/${id}/events?limit=200`);
        return ((await page.json()) as { data: LogEvent[] }).data.map(({ type }) => type);
      };
      await expect
        .poll(types)
        .toEqual([
          'user.message',
          'session.status_running',
          'span.model_request_start',
          'agent.message',
          'span.model_request_end',
          'session.status_idle',
        ]);
    }
  });
});
