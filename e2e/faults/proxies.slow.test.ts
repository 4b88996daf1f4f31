/** Proxies that buffer or compress responses, or close idle connections. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { FakeClock } from '@inlay/client/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSite, streamRequestsOf, until, untilFinished, untilText } from './setup.ts';
import { SteppedClock } from './stepped-clock.ts';

/** Starts a reverse proxy that compresses every response without `no-transform`. */
async function startCompressingProxy(target: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', headers } = incoming;
    const upstream = request(`${target}${incoming.url}`, { method, headers }, (response) => {
      const isTransformable = !response.headers['cache-control']?.includes('no-transform');
      const { 'content-length': length, ...otherHeaders } = response.headers;
      outgoing.writeHead(
        response.statusCode ?? 502,
        isTransformable ? { ...otherHeaders, 'content-encoding': 'gzip' } : response.headers,
      );
      outgoing.flushHeaders();
      if (isTransformable) response.pipe(createGzip()).pipe(outgoing);
      else response.pipe(outgoing);
      response.on('error', () => outgoing.destroy());
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

describe('a stream', () => {
  it('S13: opens within ten seconds through a proxy that buffers 2 kB', async () => {
    const { proxy, openTab } = await startSite();
    proxy.faults.add({ type: 'buffer', bytes: 2_048 }, { path: /\/sessions\?|\/events\/stream/ });
    const { client } = openTab();
    const conversation = client.conversation();
    const requested = proxy.nextRequest({ method: 'POST', path: '/sessions' });
    void conversation.send('hello');
    await requested;
    const startedAt = performance.now();
    await until(() => conversation.state.connection === 'open');

    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('S13: through a proxy that compresses responses, delivers fragments before the answer is complete', async () => {
    const { server, openTab } = await startSite({
      agent: { model: { provider: 'scripted', delay_ms: 15, first_delay_ms: 0 } },
    });
    const { client } = openTab({ baseUrl: await startCompressingProxy(server.baseUrl) });
    const conversation = client.conversation();
    await conversation.send('think');
    await untilText(conversation);

    expect(conversation.state.running).toBe(true);
    conversation.stop();
    await until(() => !conversation.state.running);
  });

  it('S13: receives at least three chunks a minute while it is idle, so that proxies keep it open', async () => {
    const serverTime = new SteppedClock();
    const { openTab } = await startSite({ clock: serverTime });
    const clock = new FakeClock();
    let chunkCount = 0;
    const { client, sent } = openTab({
      ports: {
        clock,
        fetch: async (url, init) => {
          const headers = new Headers(init?.headers);
          headers.set('origin', 'https://app.example.com');
          sent.push({ method: init?.method ?? 'GET', path: String(url), headers });
          const response = await fetch(url, { ...init, headers });
          const count = new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, controller) {
              chunkCount += 1;
              controller.enqueue(chunk);
            },
          });
          return new Response(response.body?.pipeThrough(count), response);
        },
      },
    });
    const conversation = client.conversation();
    void conversation.send('hello');
    const answered = untilFinished(conversation);
    let done = false;
    void answered.then(() => {
      done = true;
    });
    // Advances the server’s clock no faster than real time, because responses need time to arrive.
    while (!done) await serverTime.advance(4);
    const requests = sent.length;

    for (let minute = 0; minute < 3; minute += 1) {
      const before = chunkCount;
      for (let quarter = 0; quarter < 4; quarter += 1) {
        await serverTime.advance(15_000);
        await clock.advance(15_000);
      }
      expect(chunkCount - before).toBeGreaterThanOrEqual(3);
    }
    expect(conversation.state.connection).toBe('open');
    expect(streamRequestsOf(sent.slice(requests))).toEqual([]);
  });

  it('S13: is replaced by polling, with one report, if a proxy buffers complete responses', async () => {
    const { proxy, openTab } = await startSite({
      agent: { model: { provider: 'scripted', script: [{ say: 'Hello.' }], delay_ms: 0 } },
    });
    proxy.faults.add({ type: 'buffer' }, { path: /\/sessions\?|\/events\/stream/ });
    const clock = new FakeClock();
    const { client, diagnostics } = openTab({ ports: { clock } });
    const conversation = client.conversation();
    const bufferedReports = () =>
      diagnostics.filter(({ type }) => type === 'stream_buffered').length;
    const advanceUntil = async (condition: () => boolean) => {
      // Ten times as fast as real time. A faster clock would end timeouts before the server can respond.
      while (!condition()) {
        await clock.advance(100);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    // One silent stream can be a lost connection, so the client reports buffering after the second.
    for (let turn = 1; turn <= 3; turn += 1) {
      void conversation.send('hello');
      await advanceUntil(() => conversation.state.entries.length === 2 * turn);
    }
    await advanceUntil(() => bufferedReports() > 0 && !conversation.state.running);

    expect(conversation.state.entries.map(({ kind }) => kind)).toEqual(
      Array(3).fill(['user', 'agent']).flat(),
    );
    expect(bufferedReports()).toBe(1);
  });
});
