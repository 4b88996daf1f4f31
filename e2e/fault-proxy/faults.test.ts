import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { badGateway, captivePortal, unavailable } from './fault.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { ManualClock } from './manual-clock.ts';
import { ask, deferred, echo, setup } from './testing/setup.ts';

describe('delay and throttle faults', () => {
  it('delay each chunk of the given direction', async () => {
    const clock = new ManualClock();
    const proxy = await setup(echo, { clock });
    proxy.faults.add({ type: 'delay', ms: 400, side: 'request' }, { nth: 1 });

    const pending = ask(proxy.url);

    expect(await clock.next()).toBe(400);
    expect((await pending).text).toBe('GET / ');
    expect(clock.pending).toBe(0);
  });

  it('limit the bytes per second', async () => {
    const clock = new ManualClock();
    const proxy = await setup((_request, response) => void response.end('x'.repeat(1000)), {
      clock,
    });
    const fullResponse = await ask(proxy.url);
    proxy.faults.add({ type: 'throttle', bytesPerSecond: 500 });
    const started = clock.now();
    let isDone = false;
    const pending = ask(proxy.url).finally(() => {
      isDone = true;
    });
    // The timer for a chunk starts only when the previous chunk was written.
    while (!isDone) await Promise.race([clock.next(), pending]);

    const heads = 200;
    expect((await pending).text).toBe(fullResponse.text);
    expect(clock.now() - started).toBeGreaterThanOrEqual(2000);
    expect(clock.now() - started).toBeLessThan(2000 + heads * 2);
  });
});

describe('strip-headers faults', () => {
  it('remove the headers with the prefix, in any letter case, and keep the rest of the response', async () => {
    const proxy = await setup((_request, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('x-kept', 'access-control-');
      response.end('grüße');
    });
    const before = await ask(proxy.url);
    proxy.faults.add({ type: 'strip-headers', prefix: 'access-control-' });
    const after = await ask(proxy.url);

    expect(before.headers['access-control-allow-origin']).toBe('*');
    expect(after.headers['access-control-allow-origin']).toBeUndefined();
    expect([after.headers['x-kept'], after.text]).toEqual(['access-control-', 'grüße']);
  });
});

describe('split and buffer faults', () => {
  it('S04: split a response into single bytes', async () => {
    const proxy = await setup((_request, response) => void response.end('grüße'));
    proxy.faults.add({ type: 'split' });
    const socket = connect(proxy.port, '127.0.0.1');
    const sizes: number[] = [];
    let text = '';
    socket.on('data', (chunk) => {
      sizes.push(chunk.length);
      text += chunk.toString('latin1');
    });
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await once(socket, 'close');

    expect(Buffer.from(text, 'latin1').toString()).toContain('grüße');
    // The receiving kernel may merge some packets, but not most of them.
    expect(sizes.filter((size) => size === 1).length).toBeGreaterThan(text.length / 2);
  });

  it('S13: buffer the body up to the given size, but not the head', async () => {
    const secondChunk = deferred<void>();
    const proxy = await setup(async (_request, response) => {
      response.setHeader('content-length', 9);
      response.write('1234');
      await secondChunk.promise;
      response.write('5678', () => response.end('9'));
    });
    proxy.faults.add({ type: 'buffer', bytes: 8 });
    const pieces: string[] = [];
    const answer = await ask(proxy.url, {
      onHead: () => secondChunk.resolve(),
      onPiece: (chunk) => pieces.push(chunk),
    });

    expect(answer.text).toBe('123456789');
    expect(pieces.join('|')).toMatch(/^12345678\|?9$/);
  });

  it('S13: buffer the head as well if `head` is set, and flush at the end', async () => {
    const end = deferred<void>();
    const begun = deferred<void>();
    const proxy = await setup(async (_request, response) => {
      response.write('first');
      begun.resolve();
      await end.promise;
      response.end('last');
    });
    proxy.faults.add({ type: 'buffer', head: true }, { path: '/held' });
    let hasHead = false;
    const pending = ask(`${proxy.url}/held`, {
      onHead: () => {
        hasHead = true;
      },
    });
    await begun.promise;
    proxy.faults.add({ type: 'answer', status: 204 }, { path: '/other' });
    await ask(`${proxy.url}/other`);

    expect(hasHead).toBe(false);
    end.resolve();
    expect((await pending).text).toBe('firstlast');
  });
});

describe('in place of the server,', () => {
  it.each([
    ['a gateway that cannot reach its server', badGateway, 502, /Bad Gateway/],
    ['an overloaded server', unavailable(3), 503, /Unavailable/],
    ['S11: a captive portal', captivePortal, 200, /Accept the terms/],
  ])('%s responds, and the server gets no request', async (_name, fault, status, text) => {
    let requests = 0;
    const proxy = await setup((_request, response) => {
      requests += 1;
      response.end('real');
    });
    proxy.faults.add(fault, { nth: 1 });

    const replacement = await ask(proxy.url, { method: 'POST', body: 'x' });

    expect(replacement.status).toBe(status);
    expect(replacement.text).toMatch(text);
    expect(requests).toBe(0);
    expect((await ask(proxy.url)).text).toBe('real');
  });

  it('a fault proxy can respond to a request that the server got', async () => {
    const bodies: string[] = [];
    const proxy = await setup(async (request, response) => {
      for await (const chunk of request) bodies.push(String(chunk));
      response.end('real');
    });
    proxy.faults.add({ ...unavailable(7), reachesServer: true }, { nth: 1 });

    const replacement = await ask(proxy.url, { method: 'POST', body: 'kept' });

    expect([replacement.status, replacement.headers['retry-after']]).toEqual([503, '7']);
    expect(bodies).toEqual(['kept']);
  });
});

describe('duplicate and reorder faults', () => {
  it('S26: send a request twice at the same time, and answer it once', async () => {
    const bothArrived = deferred<void>();
    const bodies: string[] = [];
    const proxy = await setup(async (request, response) => {
      for await (const chunk of request) bodies.push(String(chunk));
      if (bodies.length === 2) bothArrived.resolve();
      await bothArrived.promise;
      response.end('done');
    });
    proxy.faults.add({ type: 'duplicate' });

    expect((await ask(proxy.url, { method: 'POST', body: 'same' })).text).toBe('done');
    expect(bodies).toEqual(['same', 'same']);
    expect(proxy.counts.requests).toBe(1);
  });

  it('S26: repeat a request like a retrying proxy, and return the second response', async () => {
    let requests = 0;
    const proxy = await setup((_request, response) => {
      requests += 1;
      response.end(`answer ${requests}`);
    });
    proxy.faults.add({ type: 'duplicate', answer: 'second' });

    expect((await ask(proxy.url, { method: 'POST', body: 'same' })).text).toBe('answer 2');
    expect(requests).toBe(2);
  });

  it('send the response to the first request after the response to the second', async () => {
    const proxy = await setup(echo);
    proxy.faults.add({ type: 'reorder' }, { method: 'POST', nth: 1 });
    const order: string[] = [];
    const post = (name: string) =>
      ask(`${proxy.url}/${name}`, { method: 'POST' }).then(() => order.push(name));

    const seen = proxy.nextRequest({ path: '/first' });
    const first = post('first');
    await seen;
    await ask(`${proxy.url}/get`);
    await post('second');
    await first;
    await post('third');

    expect(order).toEqual(['second', 'first', 'third']);
  });
});

describe('a protocol other than HTTP', () => {
  it('is forwarded, and can be cut', async () => {
    const server = createServer((socket) => {
      socket.on('data', (chunk) => socket.write(`you said ${chunk}`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
    const proxy = await startFaultProxy({ target: `http://127.0.0.1:${address.port}` });
    onTestFinished(async () => {
      await proxy.close();
      server.close();
    });
    proxy.faults.add({ type: 'cut', how: 'fin', after: 'you said x'.length });
    const socket = connect(proxy.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write('xyz\n');
    await once(socket, 'close');

    expect(text).toBe('you said x');
  });
});

describe('startFaultProxy', () => {
  it.each(['localhost:8787', 'https://chat.example', '', '8787'])(
    'throws for the target %o',
    async (target) => {
      await expect(startFaultProxy({ target })).rejects.toThrow('http://<host>:<port>');
    },
  );
});
