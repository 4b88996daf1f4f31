/** Limits on concurrent runs, and the queue of further runs. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import { chatEndpoint, type Handler } from '../testing/chat-endpoint.ts';
import { message, setupConversation } from '../testing/setup-conversation.ts';
import { paidResponse } from '../testing/setup-paid-model.ts';
import { type SetupOptions, testOrigin } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { Reservations } from './reservations.ts';

type Limits = { user?: object; publishable_key?: object; process?: object };

/** A model that responds when the test calls `release`. */
async function blockingModel() {
  const pending: (() => void)[] = [];
  const respond: Handler = (response, request) =>
    new Promise((resolve) => {
      pending.push(() => resolve(paidResponse(response, request)));
    });
  const endpoint = await chatEndpoint(respond);
  return {
    url: endpoint.url,
    /** Number of pending model requests. */
    waiting: () => pending.length,
    /** The last user message of each model request, oldest request first. */
    requests: () =>
      endpoint.requests.map(({ body }) =>
        JSON.stringify(body.messages)
          .match(/say-\w+/g)
          ?.at(-1),
      ),
    /** Responds to the request that has waited longest. */
    release: () => pending.shift()?.(),
  };
}

async function setup(limits: Limits, options: SetupOptions & { fakeClock?: boolean } = {}) {
  const model = await blockingModel();
  const conversation = await setupConversation({
    ...options,
    config: { ...options.config, limits },
    agent: { model: { provider: 'openai-compatible', base_url: model.url, model: 'm' } },
  });
  onTestFinished(() => {
    while (model.waiting() > 0) model.release();
  });
  const { backend, requestAsUser, issue } = conversation;
  return {
    ...conversation,
    model,
    tokenOf: async (user: string) => (await issue(user)).token,
    /** Starts a session with one message. */
    async startSession(token: string, text: string, address?: string): Promise<string> {
      const body = { initial_events: [message(`say-${text}`)] };
      const headers = { ...(address !== undefined && { 'x-forwarded-for': address }) };
      const response = await requestAsUser(token, 'POST', '/agent/v1/sessions', body, headers);
      expect(response.status).toBe(200);
      return ((await response.json()) as { id: string }).id;
    },
    sendAs: (token: string, id: string, ...events: object[]) =>
      requestAsUser(token, 'POST', `/agent/v1/sessions/${id}/events`, { events }),
    typesOf: async (token: string, id: string) => {
      const page = await requestAsUser(token, 'GET', `/agent/v1/sessions/${id}/events?limit=200`);
      return ((await page.json()) as { data: { type: string }[] }).data.map(({ type }) => type);
    },
    queue: () => conversation.store.db.selectFrom('runs').select('session_id').execute(),
    block: (user: string) => backend('POST', `/agent/v1/agents/test/end_users/${user}/block`),
  };
}

const stop = { type: 'user.interrupt' };

describe('runs of one user', () => {
  it('are limited to `user.runs` at a time, but are all performed eventually', async () => {
    const { model, queue, startSession, tokenOf } = await setup({ user: { runs: 3 } });
    const ada = await tokenOf('ada');
    for (let n = 0; n < 8; n += 1) await startSession(ada, `a${n}`);
    await expect.poll(model.waiting).toBe(3);
    // The run of another user starts after the messages above, which shows that the further runs of
    // the first user stay queued.
    await startSession(await tokenOf('bob'), 'b');
    await expect.poll(model.waiting).toBe(4);
    expect(model.requests()).toHaveLength(4);

    for (let answered = 0; answered < 9; answered += 1) {
      await expect.poll(model.waiting).toBeGreaterThan(0);
      expect(model.waiting()).toBeLessThanOrEqual(4);
      model.release();
    }

    await expect.poll(queue).toEqual([]);
    expect(model.requests().toSorted()).toEqual(
      ['say-b', ...Array.from({ length: 8 }, (_, n) => `say-a${n}`)].toSorted(),
    );
  });
});

describe('runs of the visitors of one key', () => {
  it('are limited to `publishable_key.runs` at a time, and to half of them for one network', async () => {
    const { model, requestAsPage, startSession, tokenOf } = await setup(
      { publishable_key: { runs: 3 } },
      { config: { trusted_proxies: 1 } },
    );
    const getToken = async () => {
      const body = { publishable_key: 'pk_test' };
      const response = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', body);
      return ((await response.json()) as { token: string }).token;
    };
    // Different networks /64 of one /48.
    for (let n = 0; n < 4; n += 1) {
      await startSession(await getToken(), `v${n}`, `2001:db8:1:${n}00::1`);
    }
    await expect.poll(model.waiting).toBe(2);
    for (let n = 0; n < 2; n += 1) {
      await startSession(await getToken(), `w${n}`, `2001:db8:2${n}::1`);
    }
    await startSession(await tokenOf('bob'), 'b');
    await expect.poll(model.waiting).toBe(4);
    expect(model.requests()).toEqual(['say-v0', 'say-v1', 'say-w0', 'say-b']);

    model.release();

    await expect.poll(() => model.requests()).toHaveLength(5);
    expect(['say-v2', 'say-w1']).toContain(model.requests().at(-1));
  });
});

describe('runs of one process', () => {
  it('start first for the user with the fewest runs, and among equals for the user who has waited longest', async () => {
    let time = 0;
    // No two sessions start in the same millisecond.
    const now = () => {
      time = Math.max(time + 1, Date.now());
      return time;
    };
    const { model, startSession, tokenOf } = await setup(
      { user: { runs: 2 }, process: { runs: 2 } },
      { realClock: { ...systemClock, now } },
    );
    const [ada, bob, cleo] = [await tokenOf('ada'), await tokenOf('bob'), await tokenOf('cleo')];
    for (let n = 0; n < 6; n += 1) await startSession(ada, `a${n}`);
    await expect.poll(model.waiting).toBe(2);
    await startSession(bob, 'b0');
    await startSession(cleo, 'c0');
    await startSession(bob, 'b1');

    for (;;) {
      const before = model.requests().length;
      model.release();
      if (before === 9) break;
      await expect.poll(() => model.requests().length).toBe(before + 1);
    }

    expect(model.requests().map((text) => text?.slice('say-'.length))).toEqual([
      ...['a0', 'a1', 'b0'],
      // Ada has no active run in this process, and has waited longer than Cleo.
      ...['a2', 'c0', 'a3', 'b1', 'a4', 'a5'],
    ]);
  });

  it('are performed after a restart if they were queued', async () => {
    const data = temporaryFolder();
    const first = await setup({ process: { runs: 1 } }, { data });
    const ada = await first.tokenOf('ada');
    const ids = [await first.startSession(ada, 'a0'), await first.startSession(ada, 'a1')];
    await expect.poll(first.model.waiting).toBe(1);
    await first.close();

    const second = await setup({ process: { runs: 1 } }, { data, seed: 'second' });
    await expect.poll(second.model.waiting).toBe(1);
    second.model.release();
    await expect.poll(second.model.waiting).toBe(1);
    second.model.release();

    await expect.poll(second.queue).toEqual([]);
    const { token } = await second.issue('ada');
    for (const id of ids) {
      const types = await second.typesOf(token, id);
      expect(types.filter((type) => type === 'agent.message')).toHaveLength(1);
    }
  });
});

describe('a queued run', () => {
  it('is removed from the queue by an interrupt, which does not affect the next message', async () => {
    const { model, queue, startSession, sendAs, tokenOf, typesOf } = await setup({
      user: { runs: 1 },
    });
    const ada = await tokenOf('ada');
    const busy = await startSession(ada, 'a0');
    await expect.poll(model.waiting).toBe(1);
    const queued = await startSession(ada, 'a1');

    await sendAs(ada, queued, stop);

    await expect.poll(queue).toEqual([{ session_id: busy }]);
    expect(await typesOf(ada, queued)).toEqual(['user.message', 'user.interrupt']);
    await sendAs(ada, queued, message('say-a2'));
    model.release();
    await expect.poll(model.requests).toEqual(['say-a0', 'say-a2']);
  });

  it('is performed once if it is interrupted and queued again ten times', async () => {
    const { model, queue, startSession, sendAs, tokenOf, typesOf } = await setup({
      user: { runs: 1 },
    });
    const ada = await tokenOf('ada');
    await startSession(ada, 'a0');
    await expect.poll(model.waiting).toBe(1);
    const queued = await startSession(ada, 'a1');

    for (let n = 0; n < 10; n += 1) await sendAs(ada, queued, stop, message('say-again'));

    expect(model.requests()).toEqual(['say-a0']);
    model.release();
    await expect.poll(model.waiting).toBe(1);
    model.release();
    await expect.poll(queue).toEqual([]);
    const types = await typesOf(ada, queued);
    expect(types).not.toContain('session.error');
    expect(types.filter((type) => type === 'agent.message')).toHaveLength(1);
  });

  it('is removed from the queue if its user is blocked', async () => {
    const { block, model, queue, startSession, tokenOf } = await setup({ user: { runs: 1 } });
    const ada = await tokenOf('ada');
    for (let n = 0; n < 4; n += 1) await startSession(ada, `a${n}`);
    await expect.poll(model.waiting).toBe(1);

    await block('ada');

    await expect.poll(queue).toEqual([]);
    expect(model.requests()).toEqual(['say-a0']);
  });
});

describe('attachments of model requests', () => {
  it('are read once while a run waits for a budget', async () => {
    const { app, clock, model, requestAsPage, requestAsUser, startSession, store } = await setup(
      {},
      {
        fakeClock: true,
        config: {
          prices: { m: { input_cents_per_million: 1000, output_cents_per_million: 2000 } },
        },
      },
    );
    const getToken = async () => {
      const body = { publishable_key: 'pk_test' };
      const response = await requestAsPage('POST', '/agent/v1/embed_tokens/anonymous', body);
      return ((await response.json()) as { token: string }).token;
    };
    const reads = vi.spyOn(store.blobs, 'get');
    const attempts = vi.spyOn(Reservations.prototype, 'reserveIn');
    onTestFinished(() => attempts.mockRestore());
    // While the cost of a call is unknown, the calls of a key run one at a time.
    await startSession(await getToken(), 'a');
    await expect.poll(model.waiting).toBe(1);

    const token = await getToken();
    const form = new FormData();
    form.append('file', new File([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')], 'image.png'));
    const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
    const upload = { method: 'POST', body: form, headers };
    const { id } = await (await app.request('/agent/v1/files', upload)).json();
    const { type, content } = message('say-b');
    const block = { type: 'image', source: { type: 'file', file_id: id } };
    const body = { initial_events: [{ type, content: [...content, block] }] };
    expect((await requestAsUser(token, 'POST', '/agent/v1/sessions', body)).status).toBe(200);
    await expect.poll(() => attempts.mock.calls.length).toBe(2);
    for (let attempt = 3; attempt < 8; attempt += 1) {
      await expect
        .poll(() => {
          clock.advance(100);
          return attempts.mock.calls.length;
        })
        .toBeGreaterThanOrEqual(attempt);
    }
    expect(model.requests()).toEqual(['say-a']);
    expect(reads).toHaveBeenCalledTimes(1);

    model.release();

    const requests = () => {
      clock.advance(100);
      return model.requests();
    };
    await expect.poll(requests).toEqual(['say-a', 'say-b']);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('are limited to `process.attachment_bytes` in total: a run that would exceed it waits for the others', async () => {
    const { app, model, requestAsUser, startSession, tokenOf } = await setup({
      process: { attachment_bytes: 33_554_432 },
    });
    const image = Buffer.alloc(17_000_000);
    image.write('\x89PNG\r\n\x1a\n', 'latin1');
    const sendImage = async (user: string, text: string) => {
      const token = await tokenOf(user);
      const form = new FormData();
      form.append('file', new File([image], 'image.png'));
      const headers = { authorization: `Bearer ${token}`, origin: testOrigin };
      const upload = { method: 'POST', body: form, headers };
      const { id } = await (await app.request('/agent/v1/files', upload)).json();
      const block = { type: 'image', source: { type: 'file', file_id: id } };
      const { type, content } = message(`say-${text}`);
      const body = { initial_events: [{ type, content: [...content, block] }] };
      expect((await requestAsUser(token, 'POST', '/agent/v1/sessions', body)).status).toBe(200);
    };

    await sendImage('ada', 'a');
    await expect.poll(model.waiting).toBe(1);
    await sendImage('bob', 'b');
    await startSession(await tokenOf('carol'), 'c');
    await expect.poll(model.waiting).toBe(2);
    expect(model.requests()).toEqual(['say-a', 'say-c']);

    model.release();
    await expect.poll(model.requests).toEqual(['say-a', 'say-c', 'say-b']);
  });
});
