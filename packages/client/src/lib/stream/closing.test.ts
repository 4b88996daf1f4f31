import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInlayClient } from '../client.ts';
import { shownEntries, until } from '../testing/client-setup.ts';
import { FakeTransport } from '../testing/fake-transport.ts';
import { setupSessionStream } from '../testing/session-stream-setup.ts';
import { hostTokens } from '../tokens/sources/host.ts';

const unhandledRejections: unknown[] = [];
const recordUnhandled = (reason: unknown) => unhandledRejections.push(reason);
beforeEach(() => {
  unhandledRejections.length = 0;
  process.on('unhandledRejection', recordUnhandled);
});
afterEach(() => void process.off('unhandledRejection', recordUnhandled));

type Phase = 'token' | 'fetch' | 'onopen' | 'read' | 'backoff' | 'handler' | 'watchdog' | 'offline';

const pending = () => new Promise<never>(() => {});

/** Closes a stream in this phase, and records what happens afterwards. */
async function closeAt(phase: Phase) {
  let callsBeforeClose: number | undefined;
  const setup = await setupSessionStream({
    fetch: pending,
    ...(phase === 'token' && { getToken: pending }),
    onEvent: () => {
      if (phase === 'handler') close();
    },
    onConnection: (connection) => {
      if (phase === 'onopen' && connection === 'open') close();
    },
  });
  const { stream, transport, clock, page, manager } = setup;
  const calls = () => [
    ...setup.received,
    ...setup.connections,
    ...setup.ends,
    ...setup.diagnostics,
  ];
  function close() {
    callsBeforeClose ??= calls().length;
    stream.close();
  }
  if (phase !== 'token' && phase !== 'fetch') transport.last.open();
  if (phase === 'handler') transport.last.event(1);
  if (phase === 'backoff') transport.last.fail(0);
  if (phase === 'offline') page.emit('offline');
  if (phase === 'watchdog') await clock.advance(45_000);
  await clock.advance(0);
  close();
  // Pending network events arrive now.
  if (phase !== 'token') {
    transport.last.open();
    transport.last.attempt.onMessage({
      id: '2',
      event: 'message',
      data: '{"type":"agent.dance","seq":2}',
    });
    transport.last.attempt.onRetry(1_000);
    transport.last.heartbeat();
    transport.last.event(3);
    transport.last.fail(500);
  }
  manager.close();
  await clock.advance(600_000);
  return { transport, clock, page, callsAfterClose: calls().length - (callsBeforeClose ?? 0) };
}

describe('SessionStream.close', () => {
  it.each<Phase>(['token', 'fetch', 'onopen', 'read', 'backoff', 'handler', 'watchdog', 'offline'])(
    'S16: ends all requests in phase “%s”, and calls no callback afterwards',
    async (phase) => {
      const { transport, clock, page, callsAfterClose } = await closeAt(phase);

      expect(callsAfterClose).toBe(0);
      expect([transport.open, clock.pending, page.watchers]).toEqual([0, 0, 0]);
      expect(transport.attempts.length).toBeLessThanOrEqual(1);
      expect(unhandledRejections).toEqual([]);
    },
  );
});

/** Opens a conversation whose agent is answering. The test sends the events of its stream. */
async function setupRun() {
  const transport = new FakeTransport();
  const client = createInlayClient({
    baseUrl: 'http://platform.test',
    tokens: hostTokens(() => 'et_1'),
    draftStore: 'memory',
    transport,
    ports: { fetch: () => new Promise(() => {}) },
  });
  const conversation = client.conversation();
  conversation.send('Hi').catch(() => {});
  await until(() => transport.attempts.length === 1);
  const { last } = transport;
  const send = (event: object) =>
    last.attempt.onMessage({
      id: '',
      event: 'message',
      data: JSON.stringify({ id: 'evt_0', processed_at: '2026-01-01T00:00:00Z', ...event }),
    });
  last.open();
  const session = { type: 'session', id: 'ses_1', status: 'running', title: null, metadata: {} };
  send({ type: 'session.created', session: { ...session, created_at: '2026-01-01T00:00:00Z' } });
  last.event(1);
  return { client, conversation, last, send };
}

describe('pending events of a conversation', () => {
  it.each(['close', 'reset'] as const)('S19: are dropped after %s', async (method) => {
    const { client, conversation, last, send } = await setupRun();
    expect(conversation.state).toMatchObject({ session: { id: 'ses_1' }, lastSeq: 1 });
    if (method === 'close') conversation.close();
    else client.reset();
    const before = JSON.stringify(conversation.state);

    last.event(2);
    send({ type: 'agent.message', seq: 3, content: [{ type: 'text', text: 'Late.' }] });
    await new Promise((resolve) => setImmediate(resolve));

    expect(JSON.stringify(conversation.state)).toBe(before);
    expect(shownEntries(conversation).join()).not.toContain('Late.');
    client.close();
  });
});
