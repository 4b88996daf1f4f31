import { describe, expect, it } from 'vitest';
import { createInProcessBus } from '../bus/in-process-bus.ts';
import { createLogger } from '../log/logger.ts';
import { chatEndpoint, type Handler, refuse } from '../testing/chat-endpoint.ts';
import { isType, setupConversation } from '../testing/setup-conversation.ts';
import { paidResponse } from '../testing/setup-paid-model.ts';
import { testOrigin } from '../testing/setup-server.ts';
import { ModelFailures } from './model-failures.ts';

const path = '/agent/v1/embed/stream_check';

async function setup(...handlers: Handler[]) {
  const endpoint = await chatEndpoint(...handlers);
  const conversation = await setupConversation({
    secrets: { MODEL_KEY: 'sk-of-the-operator' },
    config: {
      prices: {
        'model-of-the-operator': { input_cents_per_million: 0, output_cents_per_million: 0 },
      },
    },
    agent: {
      model: {
        provider: 'openai-compatible',
        base_url: endpoint.url,
        model: 'model-of-the-operator',
        api_key_env: 'MODEL_KEY',
      },
    },
  });
  const { url, create, follow, token } = conversation;

  /** Requests the stream check, and returns its text up to the first message. */
  async function check(headers: Record<string, string> = {}) {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, origin: testOrigin, ...headers },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const piece = await reader?.read();
      text += piece?.value ?? '';
      if (piece?.done !== false || /^data: .*\n/m.test(text)) break;
    }
    await reader?.cancel();
    const message = /^data: (.*)$/m.exec(text)?.[1];
    return { status: response.status, text, message: message && JSON.parse(message) };
  }

  /** Sends a message, and waits until the run has ended. */
  async function ask() {
    await (await follow(await create('hello'))).until(isType('session.status_idle'));
  }

  return { ...conversation, endpoint, ask, check };
}

const closeConnection: Handler = (response) => void response.destroy();

describe('the model in GET /embed/stream_check', () => {
  it('is absent while no call of the model has failed', async () => {
    const { ask, check } = await setup(paidResponse);

    expect((await check()).message).toEqual({ type: 'stream_check', n: 1 });
    await ask();
    expect((await check()).message).toEqual({ type: 'stream_check', n: 1 });
  });

  it('has the time and the status of the last failure, and nothing about the operator', async () => {
    const { ask, check, endpoint } = await setup(
      refuse(401, { message: 'wrong key sk-of-the-operator' }),
    );
    const before = Date.now();
    await ask();
    const { message, text } = await check();

    expect(message).toEqual({
      type: 'stream_check',
      n: 1,
      model: { failed_at: expect.any(String), kind: 'http_error', status: 401 },
    });
    expect(Date.parse(message.model.failed_at)).toBeGreaterThanOrEqual(before);
    for (const secret of [endpoint.url, 'sk-of-the-operator', 'wrong key', 'model-of-the-operator'])
      expect(text).not.toContain(secret);
  });

  it('is absent again after a call that succeeded', async () => {
    const { ask, check } = await setup(refuse(401), paidResponse);
    await ask();
    expect((await check()).message.model).toBeDefined();
    await ask();
    expect((await check()).message.model).toBeUndefined();
  });

  it('says that the connection failed', async () => {
    const { ask, check } = await setup(closeConnection);
    await ask();

    expect((await check()).message.model).toEqual({
      failed_at: expect.any(String),
      kind: 'network',
    });
  });

  it('is not sent to a page whose origin is not allowed', async () => {
    const { ask, check } = await setup(refuse(401));
    await ask();
    const { status, text } = await check({ origin: 'https://other.example' });

    expect(status).toBe(403);
    expect(text).not.toContain('http_error');
  });
});

describe('ModelFailures', () => {
  const failure = { failed_at: '2026-01-01T00:00:00.000Z', kind: 'timeout' } as const;

  function setupProcesses() {
    // One bus in place of Redis: each listener receives the messages of both.
    const bus = createInProcessBus(createLogger(Date.now, () => {}));
    return [new ModelFailures({ bus }), new ModelFailures({ bus })] as const;
  }

  it('tells the other processes about a failure, and about the success after it', () => {
    const [first, second] = setupProcesses();
    first.record('agent_1', failure);
    expect(second.find('agent_1')).toEqual(failure);
    expect(second.find('agent_2')).toBeNull();

    second.record('agent_1', null);
    expect(first.find('agent_1')).toBeNull();
  });

  it('forgets the failure of an agent that was changed', async () => {
    const bus = createInProcessBus(createLogger(Date.now, () => {}));
    const failures = new ModelFailures({ bus });
    failures.record('agent_1', failure);
    await bus.publish({ kind: 'agent_changed', agentId: 'agent_1' });

    expect(failures.find('agent_1')).toBeNull();
  });

  it('publishes nothing for a success without a failure before it', () => {
    const bus = createInProcessBus(createLogger(Date.now, () => {}));
    const messages: object[] = [];
    bus.subscribe((message) => messages.push(message));
    new ModelFailures({ bus }).record('agent_1', null);

    expect(messages).toEqual([]);
  });
});
