import { describe, expect, it } from 'vitest';
import { rawStream } from '../testing/raw-stream.ts';
import { isType, message, setupConversation } from '../testing/setup-conversation.ts';
import { setupServer } from '../testing/setup-server.ts';

const idle = isType('session.status_idle');
/** The end of a complete chunked response. */
const lastChunk = '0\r\n\r\n';

/** Opens a stream, and records whether it has been opened, ended and closed. */
function openSocket(url: string, id: string, token: string) {
  const socket = rawStream(url, { id, token });
  const stream = { isOpen: false, isEnded: false, isClosed: false };
  socket.on('end', () => {
    stream.isClosed = true;
  });
  socket.on('data', (bytes: Buffer) => {
    const text = bytes.toString('latin1');
    stream.isOpen ||= text.startsWith('HTTP/1.1 200');
    stream.isEnded ||= text.endsWith(lastChunk);
  });
  return stream;
}

describe('a server that is shutting down', () => {
  it('S12: ends a thousand streams gradually, at most 300 per second', async () => {
    const { app, clock, create, token, url } = await setupConversation({
      fakeClock: true,
      config: { limits: { process: { stream_opens_per_second: 10_000 } } },
    });
    const id = await create();
    const streams = Array.from({ length: 1000 }, () => openSocket(url, id, token));
    const opened = () => streams.filter(({ isOpen }) => isOpen).length;
    const ended = () => streams.filter(({ isEnded }) => isEnded).length;
    await expect.poll(opened).toBe(1000);

    const drained = app.drain(new AbortController().signal);
    const counts: number[] = [];
    for (let second = 0; second < 4; second++) {
      // The streams that are due have ended, and their bytes have arrived.
      await expect.poll(ended).toBe(Math.min(1000, 30 + 300 * second));
      counts.push(ended());
      for (let step = 0; step < 10; step++) {
        clock.advance(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await drained;

    expect(counts).toEqual([30, 330, 630, 930]);
    await expect.poll(ended).toBe(1000);
    // The connection closes too, so that the next request reaches another server.
    await expect.poll(() => streams.every(({ isClosed }) => isClosed)).toBe(true);
  });

  it('S12: rejects new streams and long polls, handles other requests, and leaves new runs to other processes', async () => {
    const { app, call, create, follow, requestAsPage, send, store } = await setupConversation();
    const id = await create();
    await app.drain(new AbortController().signal);

    const stream = await follow(id);
    const wait = await call('GET', `/sessions/${id}/events?after_seq=0&wait=25`);
    const health = await requestAsPage('GET', '/meta/v1/health');

    for (const response of [stream.response, wait, health]) {
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect((await call('GET', `/sessions/${id}/events?after_seq=0`)).status).toBe(200);
    expect((await send(id, [message('hello')])).status).toBe(200);
    const runs = await store.db.selectFrom('runs').select('worker').execute();
    expect(runs).toEqual([{ worker: null }]);
    await setupServer({ sharedStore: store, seed: 'other' });
    await expect
      .poll(async () => JSON.stringify(await (await call('GET', `/sessions/${id}/events`)).json()))
      .toContain('session.status_idle');
  });

  it('S07: ends each stream without an error event, so that clients resume it', async () => {
    const { app, create, follow } = await setupConversation();
    const stream = await follow(await create('hello'));
    await stream.until(idle);

    await app.drain(new AbortController().signal);

    const events = await stream.toEnd();
    expect(events.at(-1)?.data.type).toBe('session.status_idle');
  });
});
