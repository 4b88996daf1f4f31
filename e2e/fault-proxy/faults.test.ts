import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '../replay/manual-clock.ts';
import { badGateway, captivePortal, unavailable } from './fault.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { ask, echo, later, setup } from './testing/setup.ts';

describe('time', () => {
  it('delays each piece of the side that is meant', async () => {
    const clock = new ManualClock();
    const proxy = await setup(echo, { clock });
    proxy.faults.add({ type: 'delay', ms: 400, side: 'request' }, { nth: 1 });

    const asking = ask(proxy.url);

    expect(await clock.next()).toBe(400);
    expect((await asking).text).toBe('GET / ');
    expect(clock.pending).toBe(0);
  });

  it('throttles to so many bytes a second', async () => {
    const clock = new ManualClock();
    const proxy = await setup((_asked, answer) => void answer.end('x'.repeat(1000)), { clock });
    const whole = await ask(proxy.url);
    proxy.faults.add({ type: 'throttle', bytesPerSecond: 500 });
    const started = clock.now();
    let isDone = false;
    const asking = ask(proxy.url).finally(() => {
      isDone = true;
    });
    // The answer and the clock take turns: what is left to wait is always the next timer.
    while (!isDone) await Promise.race([clock.next(), asking]);

    const heads = 200;
    expect((await asking).text).toBe(whole.text);
    expect(clock.now() - started).toBeGreaterThanOrEqual(2000);
    expect(clock.now() - started).toBeLessThan(2000 + heads * 2);
  });
});

describe('the shape of an answer', () => {
  it('S04: splits an answer into single bytes', async () => {
    const proxy = await setup((_asked, answer) => void answer.end('grüße'));
    proxy.faults.add({ type: 'split' });
    const socket = connect(proxy.port, '127.0.0.1');
    const sizes: number[] = [];
    let text = '';
    socket.on('data', (piece) => {
      sizes.push(piece.length);
      text += piece.toString('latin1');
    });
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await once(socket, 'close');

    expect(Buffer.from(text, 'latin1').toString()).toContain('grüße');
    // The receiving kernel may join neighbours; that it joins most is not to be.
    expect(sizes.filter((size) => size === 1).length).toBeGreaterThan(text.length / 2);
  });

  it('S13: holds the body back until there is enough, the head never', async () => {
    const more = later<void>();
    const proxy = await setup(async (_asked, answer) => {
      answer.setHeader('content-length', 9);
      answer.write('1234');
      await more.promise;
      answer.write('5678', () => answer.end('9'));
    });
    proxy.faults.add({ type: 'buffer', bytes: 8 });
    const pieces: string[] = [];
    const answer = await ask(proxy.url, {
      onHead: () => more.resolve(),
      onPiece: (piece) => pieces.push(piece),
    });

    expect(answer.text).toBe('123456789');
    expect(pieces.join('|')).toMatch(/^12345678\|?9$/);
  });

  it('S13: holds the head back as well where it is told to, and lets all go at the end', async () => {
    const end = later<void>();
    const begun = later<void>();
    const proxy = await setup(async (_asked, answer) => {
      answer.write('first');
      begun.resolve();
      await end.promise;
      answer.end('last');
    });
    proxy.faults.add({ type: 'buffer', head: true }, { path: '/held' });
    let hasHead = false;
    const asking = ask(`${proxy.url}/held`, {
      onHead: () => {
        hasHead = true;
      },
    });
    await begun.promise;
    proxy.faults.add({ type: 'answer', status: 204 }, { path: '/other' });
    await ask(`${proxy.url}/other`);

    expect(hasHead).toBe(false);
    end.resolve();
    expect((await asking).text).toBe('firstlast');
  });
});

describe('answers in the place of the server', () => {
  it.each([
    ['a gateway without a server', badGateway, 502, /Bad Gateway/],
    ['a server that asks for patience', unavailable(3), 503, /Unavailable/],
    ['S11: a captive portal', captivePortal, 200, /Accept the terms/],
  ])('are given by %s, and the server hears nothing', async (_name, fault, status, text) => {
    let asked = 0;
    const proxy = await setup((_request, answer) => {
      asked += 1;
      answer.end('real');
    });
    proxy.faults.add(fault, { nth: 1 });

    const instead = await ask(proxy.url, { method: 'POST', body: 'x' });

    expect(instead.status).toBe(status);
    expect(instead.text).toMatch(text);
    expect(asked).toBe(0);
    expect((await ask(proxy.url)).text).toBe('real');
  });

  it('can replace what the server said to a request that it got', async () => {
    const bodies: string[] = [];
    const proxy = await setup(async (asked, answer) => {
      for await (const piece of asked) bodies.push(String(piece));
      answer.end('real');
    });
    proxy.faults.add({ ...unavailable(7), reachesServer: true }, { nth: 1 });

    const instead = await ask(proxy.url, { method: 'POST', body: 'kept' });

    expect([instead.status, instead.headers['retry-after']]).toEqual([503, '7']);
    expect(bodies).toEqual(['kept']);
  });
});

describe('repetition and order', () => {
  it('S26: sends a request twice at once, and answers once', async () => {
    const twice = later<void>();
    const bodies: string[] = [];
    const proxy = await setup(async (asked, answer) => {
      for await (const piece of asked) bodies.push(String(piece));
      if (bodies.length === 2) twice.resolve();
      await twice.promise;
      answer.end('done');
    });
    proxy.faults.add({ type: 'duplicate' });

    expect((await ask(proxy.url, { method: 'POST', body: 'same' })).text).toBe('done');
    expect(bodies).toEqual(['same', 'same']);
    expect(proxy.counts.requests).toBe(1);
  });

  it('S26: sends a request again as retrying proxies do, and gives the second answer', async () => {
    let asked = 0;
    const proxy = await setup((_request, answer) => {
      asked += 1;
      answer.end(`answer ${asked}`);
    });
    proxy.faults.add({ type: 'duplicate', answer: 'second' });

    expect((await ask(proxy.url, { method: 'POST', body: 'same' })).text).toBe('answer 2');
    expect(asked).toBe(2);
  });

  it('answers the first after the second', async () => {
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

describe('another protocol', () => {
  it('passes, and is cut as well', async () => {
    const server = createServer((socket) => {
      socket.on('data', (piece) => socket.write(`you said ${piece}`));
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
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.write('xyz\n');
    await once(socket, 'close');

    expect(text).toBe('you said x');
  });
});

describe('starting', () => {
  it.each(['localhost:8787', 'https://chat.example', '', '8787'])(
    'refuses %o as a target',
    async (target) => {
      await expect(startFaultProxy({ target })).rejects.toThrow('http://<host>:<port>');
    },
  );
});
