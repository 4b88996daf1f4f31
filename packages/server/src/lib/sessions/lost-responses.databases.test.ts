import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chatEndpoint, chunk, done, finish, stream, usage } from '../testing/chat-endpoint.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { testOrigin } from '../testing/setup-server.ts';

const idle = isType('session.status_idle');

/** A session in which each response costs two cents. */
async function setup() {
  const endpoint = await chatEndpoint(
    stream(chunk({ content: 'All is well.' }), finish(), usage(1000, 500), done),
  );
  const conversation = await setupConversation({
    config: { prices: { m: { input_cents_per_million: 1000, output_cents_per_million: 2000 } } },
    agent: { model: { provider: 'openai-compatible', base_url: endpoint.url, model: 'm' } },
  });
  const { token, url, store } = conversation;
  return {
    ...conversation,
    requests: endpoint.requests,
    /** Sends a request and disconnects immediately, so that the response is lost. */
    async sendAndDisconnect(path: string, body: object, headers: Record<string, string>) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      const text = JSON.stringify(body);
      const fields = {
        host: 'test',
        origin: testOrigin,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': `${Buffer.byteLength(text)}`,
        ...headers,
      };
      const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
      const lines = [`POST /agent/v1${path} HTTP/1.1`, ...head, '', text];
      await new Promise<void>((resolve) => socket.write(lines.join('\r\n'), () => resolve()));
      socket.destroy();
    },
    rows: (table: 'events' | 'sessions') => store.db.selectFrom(table).selectAll().execute(),
  };
}

const key = { 'idempotency-key': 'one-message' };

describe('a message whose response is lost', () => {
  it('S26: is stored, answered and charged once, however often it is repeated', async () => {
    const { requests, create, follow, log, send, sendAndDisconnect, session, rows } = await setup();
    const id = await create();
    const body = { events: [message('hello')] };

    await sendAndDisconnect(`/sessions/${id}/events`, body, key);
    await expect.poll(() => rows('events')).not.toHaveLength(0);
    const again = await Promise.all([1, 2, 3].map(() => send(id, body.events, key)));
    await (await follow(id)).until(idle);
    const late = await send(id, body.events, key);

    const answers = await Promise.all([...again, late].map((answer) => answer.text()));
    expect(new Set(answers).size).toBe(1);
    const events = await log(id);
    expect(events.filter(({ type }) => type === 'user.message')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'session.status_running')).toHaveLength(1);
    expect(JSON.parse(answers[0] ?? '')).toEqual({ data: [events[0]] });
    expect(requests).toHaveLength(1);
    expect(await session(id)).toMatchObject({ usage: { spent_cents: 2 } });
  });

  it('S26: creates one session, which repeated requests return', async () => {
    const { requests, call, follow, sendAndDisconnect, session, rows } = await setup();
    const body = { initial_events: [message('hello')] };

    await sendAndDisconnect('/sessions', body, { ...key, accept: 'text/event-stream' });
    await expect.poll(() => rows('sessions')).toHaveLength(1);
    const again = await Promise.all([1, 2].map(() => call('POST', '/sessions', body, key)));
    const [first, second] = (await Promise.all(again.map((answer) => answer.json()))) as [
      { id: string },
      { id: string },
    ];
    const eventStream = await follow(first.id);
    await eventStream.until(idle);

    expect(second.id).toBe(first.id);
    expect(await rows('sessions')).toHaveLength(1);
    expect(eventStream.seen.filter(isType('user.message'))).toHaveLength(1);
    expect(requests).toHaveLength(1);
    expect(await session(first.id)).toMatchObject({ usage: { spent_cents: 2 } });
  });
});
