import { once } from 'node:events';
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../replay/manual-clock.ts';
import { ask, echo, later, setup } from './testing/setup.ts';

/** What a client gets that speaks TCP alone: every byte, until the other side ends. */
async function rawAnswer(port: number, text: string): Promise<{ bytes: string; error: unknown }> {
  const socket = connect(port, '127.0.0.1');
  let bytes = '';
  let error: unknown = null;
  socket.on('data', (piece) => {
    bytes += piece;
  });
  socket.on('error', (thrown) => {
    error = thrown;
  });
  socket.write(text);
  await once(socket, 'close');
  return { bytes, error };
}

const get = 'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

describe('a proxy without faults', () => {
  it('passes requests and answers on, several on a connection', async () => {
    const proxy = await setup(echo);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });

    const first = await ask(`${proxy.url}/a?b=1`, { method: 'POST', body: 'x'.repeat(1e5), agent });
    const second = await ask(`${proxy.url}/c`, { agent });
    const third = await ask(`${proxy.url}/c`, { method: 'HEAD', agent });
    agent.destroy();

    expect(first.text).toBe(`POST /a?b=1 ${'x'.repeat(1e5)}`);
    expect([second.text, third.status]).toEqual(['GET /c ', 200]);
    expect(proxy.counts).toMatchObject({ connections: 1, requests: 3 });
  });

  it('tells the server when the client leaves, and the client when the server does', async () => {
    const left = later<void>();
    const proxy = await setup((asked: IncomingMessage, answer: ServerResponse) => {
      if (asked.url === '/leave') return void answer.socket?.resetAndDestroy();
      answer.on('close', () => left.resolve());
      answer.write('begun');
    });
    const leaving = new AbortController();

    await expect(
      ask(proxy.url, { signal: leaving.signal, onPiece: () => leaving.abort() }),
    ).rejects.toThrow('abort');
    await left.promise;
    await expect(ask(`${proxy.url}/leave`)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('a cut', () => {
  it('lets exactly so many bytes of the answer pass, at each of them', async () => {
    const proxy = await setup((_asked, answer) => {
      answer.removeHeader('date');
      answer.sendDate = false;
      answer.write('one');
      answer.end('two');
    });
    const whole = (await rawAnswer(proxy.port, get)).bytes;

    for (let after = 0; after <= whole.length; after += 1) {
      proxy.faults.clear();
      proxy.faults.add({ type: 'cut', how: 'fin', after });
      const { bytes } = await rawAnswer(proxy.port, get);
      expect(bytes).toBe(whole.slice(0, after));
    }
    expect(whole).toContain('two');
  });

  it('S01: leaves both sockets open when it is half-open, and tells neither end', async () => {
    const hung = later<ServerResponse>();
    const proxy = await setup((_asked, answer) => {
      answer.write('begun');
      hung.resolve(answer);
    });
    const pieces: string[] = [];
    const ended: string[] = [];
    const leaving = new AbortController();
    const asking = ask(proxy.url, {
      signal: leaving.signal,
      onPiece: (piece) => {
        pieces.push(piece);
        if (pieces.length === 1) proxy.cut('half-open');
      },
      onHead: (response) => response.on('close', () => ended.push('client')),
    }).catch(() => 'aborted');
    const { how, requests } = await proxy.nextCut();
    const answer = await hung.promise;
    answer.on('close', () => ended.push('server'));
    await new Promise((resolve) => answer.write('more', resolve));
    // What is asked now takes as long as news of an end would.
    proxy.faults.add({ type: 'answer', status: 204 });
    await ask(proxy.url);

    expect([how, requests.map(({ method }) => method)]).toEqual(['half-open', ['GET']]);
    expect(pieces).toEqual(['begun']);
    expect(ended).toEqual([]);
    leaving.abort();
    expect(await asking).toBe('aborted');
    expect(ended).not.toContain('server');
  });

  it('lets the server forget a half-open connection after a while', async () => {
    const clock = new ManualClock();
    const gone = later<void>();
    const proxy = await setup(
      (_asked, answer) => {
        answer.on('close', () => gone.resolve());
        answer.write('begun');
      },
      { clock, serverForgetsAfter: 20_000 },
    );
    const leaving = new AbortController();
    const asking = ask(proxy.url, {
      signal: leaving.signal,
      onPiece: () => proxy.cut('half-open'),
    }).catch(() => {});

    expect(await clock.next()).toBe(20_000);
    await gone.promise;
    leaving.abort();
    await asking;
  });

  it('is a reset for both, where that is asked for', async () => {
    const lost = later<string>();
    const proxy = await setup((asked, answer) => {
      asked.socket.on('error', ({ message }) => lost.resolve(message));
      answer.write('begun');
    });

    await expect(ask(proxy.url, { onPiece: () => proxy.cut('reset') })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    expect(await lost.promise).toContain('ECONNRESET');
    expect(proxy.counts.cuts).toEqual({ 'half-open': 0, reset: 1, fin: 0 });
  });

  it('can fall into the request, and the server gets no more than that', async () => {
    const got = later<string>();
    const proxy = await setup((asked) => {
      let body = '';
      asked.on('data', (piece) => {
        body += piece;
      });
      asked.on('error', () => {});
      asked.on('close', () => got.resolve(body));
    });
    proxy.faults.add({ type: 'cut', side: 'request', from: 'body', after: 3, how: 'reset' });

    await expect(ask(proxy.url, { method: 'POST', body: 'abcdef' })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    expect(await got.promise).toBe('abc');
  });

  it('strikes the requests that its rule means, and says so when it happens', async () => {
    const proxy = await setup(echo);
    const rule = proxy.faults.add(
      { type: 'cut', how: 'reset' },
      { method: 'POST', path: /^\/a/, nth: 2, times: 2 },
    );
    const struck = rule.next();
    const post = (path: string) =>
      ask(proxy.url + path, { method: 'POST' }).then(
        ({ status }) => status,
        () => 'cut',
      );
    const outcomes = [];
    for (const path of ['/a1', '/b', '/a2', '/a3', '/a4']) outcomes.push(await post(path));

    expect(outcomes).toEqual([200, 200, 'cut', 'cut', 200]);
    expect((await struck).path).toBe('/a2');
    expect(rule.strikes).toBe(2);
  });

  it('S26: loses the answer after the server has had the request', async () => {
    const bodies: string[] = [];
    const proxy = await setup(async (asked, answer) => {
      for await (const piece of asked) bodies.push(String(piece));
      answer.end('done');
    });
    proxy.faults.add({ type: 'lose-answer', how: 'reset' }, { nth: 1 });

    await expect(ask(proxy.url, { method: 'POST', body: 'once' })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    expect(bodies).toEqual(['once']);
  });

  it('lets nobody through while offline, and everybody afterwards', async () => {
    const proxy = await setup(echo);

    proxy.goOffline();
    await expect(ask(proxy.url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect([proxy.isOffline, proxy.counts.refused]).toEqual([true, 1]);
    proxy.goOnline();
    expect((await ask(proxy.url)).text).toBe('GET / ');
  });
});
