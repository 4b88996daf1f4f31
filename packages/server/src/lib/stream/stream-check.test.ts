import { streamCheck } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { setupConversation } from '../testing/setup-conversation.ts';
import { testOrigin } from '../testing/setup-server.ts';

const path = '/agent/v1/embed/stream_check';

async function setup() {
  const conversation = await setupConversation({
    fakeClock: true,
    agent: {
      embed: { allowed_origins: [testOrigin], limits: { requests_per_second: 100, concurrent: 1 } },
    },
  });
  const { url, token } = conversation;
  const response = await fetch(url + path, {
    headers: {
      authorization: `Bearer ${token}`,
      origin: testOrigin,
      'accept-encoding': 'gzip, br, deflate',
    },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    ...conversation,
    response,
    reader,
    read: async () => (await reader?.read())?.value ?? '',
  };
}

const check = (n: number) => `event: stream_check\ndata: {"type":"stream_check","n":${n}}\n\n`;

describe('GET /embed/stream_check', () => {
  it('S13: sends padding and the first message immediately, then the other messages one by one', async () => {
    const { reader, read, clock } = await setup();

    let first = await read();
    while (!first.endsWith(check(1))) first += await read();
    expect(first.length).toBeGreaterThan(2048);
    expect(first.startsWith(': ')).toBe(true);
    clock.advance(streamCheck.intervalMs);
    expect(await read()).toBe(check(2));
    clock.advance(streamCheck.intervalMs);
    expect(await read()).toBe(check(3));

    expect(await reader?.read()).toMatchObject({ done: true });
  });

  it('S13: returns headers that prevent buffering and compression', async () => {
    const { response, reader } = await setup();

    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('content-encoding')).toBeNull();
    await reader?.cancel();
  });

  it('counts as a concurrent request until its client disconnects', async () => {
    const { call, reader } = await setup();

    expect((await call('GET', '/embed/config')).status).toBe(429);
    await reader?.cancel();

    await expect.poll(async () => (await call('GET', '/embed/config')).status).toBe(200);
  });

  it('requires an embed token', async () => {
    const { backend, requestAsPage } = await setup();

    expect((await requestAsPage('GET', path)).status).toBe(401);
    expect((await backend('GET', path)).status).toBe(401);
  });
});
