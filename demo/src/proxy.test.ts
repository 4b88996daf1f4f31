import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, loopback } from './listen.ts';
import { type ReverseProxy, startProxy } from './proxy.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Starts a proxy with a service that sends a first chunk, and a second chunk when `finish` is called. */
async function setup() {
  let finish = () => {};
  let disconnected = false;
  const service: Server = createServer(({ url }, response) => {
    if (url === '/whole') return response.end('whole');
    response.writeHead(200, { 'access-control-allow-origin': '*' }).write('first ');
    finish = () => response.end('second');
    response.on('close', () => {
      disconnected = true;
    });
  });
  cleanups.push(() => {
    service.closeAllConnections();
    service.close();
  });
  const proxy: ReverseProxy = await startProxy({ targetPort: await listen(service, 0) });
  cleanups.push(() => proxy.close());
  const url = `http://${loopback}:${proxy.port}`;
  return { proxy, url, finish: () => finish(), disconnected: () => disconnected };
}

describe('startProxy', () => {
  it('forwards each chunk immediately', async () => {
    const { url, finish } = await setup();
    const response = await fetch(url);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();

    expect((await reader?.read())?.value).toBe('first ');
    finish();
    expect((await reader?.read())?.value).toBe('second');
  });

  it('with the fault “buffer”, sends nothing before the end of the upstream response', async () => {
    const { proxy, url, finish } = await setup();
    proxy.fault = 'buffer';
    let responded = false;
    const answer = fetch(url).then((response) => {
      responded = true;
      return response.text();
    });
    // Meanwhile, other responses are complete and forwarded.
    for (let count = 0; count < 3; count += 1) {
      expect(await (await fetch(`${url}/whole`)).text()).toBe('whole');
    }
    expect(responded).toBe(false);

    finish();
    expect(await answer).toBe('first second');
  });

  it('aborts the upstream request when the browser disconnects', async () => {
    const { url, disconnected } = await setup();
    const controller = new AbortController();
    await fetch(url, { signal: controller.signal });

    controller.abort();
    await expect.poll(disconnected).toBe(true);
  });
});
