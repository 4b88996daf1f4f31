import { once } from 'node:events';
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ManualClock } from './manual-clock.ts';
import { ask, deferred, echo, setup } from './testing/setup.ts';

/** Sends a text over TCP, and reads until the connection is closed. */
async function rawAnswer(port: number, text: string): Promise<{ bytes: string; error: unknown }> {
  const socket = connect(port, '127.0.0.1');
  let bytes = '';
  let error: unknown = null;
  socket.on('data', (chunk) => {
    bytes += chunk;
  });
  socket.on('error', (thrown) => {
    error = thrown;
  });
  socket.write(text);
  await once(socket, 'close');
  return { bytes, error };
}

const getRequest = 'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

describe('a fault proxy without faults', () => {
  it('forwards several requests and responses on one connection', async () => {
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

  it('closes the connection to the server when the client disconnects, and vice versa', async () => {
    const disconnected = deferred<void>();
    const proxy = await setup((request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/leave') return void response.socket?.resetAndDestroy();
      response.on('close', () => disconnected.resolve());
      response.write('begun');
    });
    const controller = new AbortController();

    await expect(
      ask(proxy.url, { signal: controller.signal, onPiece: () => controller.abort() }),
    ).rejects.toThrow('abort');
    await disconnected.promise;
    await expect(ask(`${proxy.url}/leave`)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('a cut', () => {
  it('forwards exactly the given number of bytes', async () => {
    const proxy = await setup((_request, response) => {
      response.removeHeader('date');
      response.sendDate = false;
      response.write('one');
      response.end('two');
    });
    const fullResponse = (await rawAnswer(proxy.port, getRequest)).bytes;

    for (let after = 0; after <= fullResponse.length; after += 1) {
      proxy.faults.clear();
      proxy.faults.add({ type: 'cut', how: 'fin', after });
      const { bytes } = await rawAnswer(proxy.port, getRequest);
      expect(bytes).toBe(fullResponse.slice(0, after));
    }
    expect(fullResponse).toContain('two');
  });

  it('S01: leaves both sockets open, without FIN or RST, when it is half-open', async () => {
    const pendingResponse = deferred<ServerResponse>();
    const proxy = await setup((_request, response) => {
      response.write('begun');
      pendingResponse.resolve(response);
    });
    const chunks: string[] = [];
    const ended: string[] = [];
    const controller = new AbortController();
    const request = ask(proxy.url, {
      signal: controller.signal,
      onPiece: (chunk) => {
        chunks.push(chunk);
        if (chunks.length === 1) proxy.cut('half-open');
      },
      onHead: (response) => response.on('close', () => ended.push('client')),
    }).catch(() => 'aborted');
    const { how, requests } = await proxy.nextCut();
    const response = await pendingResponse.promise;
    response.on('close', () => ended.push('server'));
    await new Promise((resolve) => response.write('more', resolve));
    // A FIN or RST would have arrived by the time of this response.
    proxy.faults.add({ type: 'answer', status: 204 });
    await ask(proxy.url);

    expect([how, requests.map(({ method }) => method)]).toEqual(['half-open', ['GET']]);
    expect(chunks).toEqual(['begun']);
    expect(ended).toEqual([]);
    controller.abort();
    expect(await request).toBe('aborted');
    expect(ended).not.toContain('server');
  });

  it('resets the server side of a half-open connection after the timeout', async () => {
    const clock = new ManualClock();
    const serverSideReset = deferred<void>();
    const proxy = await setup(
      (_request, response) => {
        response.on('close', () => serverSideReset.resolve());
        response.write('begun');
      },
      { clock, halfOpenTimeoutMs: 20_000 },
    );
    const controller = new AbortController();
    const request = ask(proxy.url, {
      signal: controller.signal,
      onPiece: () => proxy.cut('half-open'),
    }).catch(() => {});

    expect(await clock.next()).toBe(20_000);
    await serverSideReset.promise;
    controller.abort();
    await request;
  });

  it('resets both sides if its kind is `reset`', async () => {
    const lost = deferred<string>();
    const proxy = await setup((request, response) => {
      request.socket.on('error', ({ message }) => lost.resolve(message));
      response.write('begun');
    });

    await expect(ask(proxy.url, { onPiece: () => proxy.cut('reset') })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    expect(await lost.promise).toContain('ECONNRESET');
    expect(proxy.counts.cuts).toEqual({ 'half-open': 0, reset: 1, fin: 0 });
  });

  it('can interrupt the request, of which the server gets only the first bytes', async () => {
    const got = deferred<string>();
    const proxy = await setup((request) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('error', () => {});
      request.on('close', () => got.resolve(body));
    });
    proxy.faults.add({ type: 'cut', side: 'request', from: 'body', after: 3, how: 'reset' });

    await expect(ask(proxy.url, { method: 'POST', body: 'abcdef' })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    expect(await got.promise).toBe('abc');
  });

  it('applies to the matching requests only, and resolves next() when it happens', async () => {
    const proxy = await setup(echo);
    const rule = proxy.faults.add(
      { type: 'cut', how: 'reset' },
      { method: 'POST', path: /^\/a/, nth: 2, times: 2 },
    );
    const affected = rule.next();
    const post = (path: string) =>
      ask(proxy.url + path, { method: 'POST' }).then(
        ({ status }) => status,
        () => 'cut',
      );
    const outcomes = [];
    for (const path of ['/a1', '/b', '/a2', '/a3', '/a4']) outcomes.push(await post(path));

    expect(outcomes).toEqual([200, 200, 'cut', 'cut', 200]);
    expect((await affected).path).toBe('/a2');
    expect(rule.timesApplied).toBe(2);
  });
});

describe('a fault proxy', () => {
  it('S26: forwards the request, and drops the response, if the fault is `lose-answer`', async () => {
    const bodies: string[] = [];
    const proxy = await setup(async (request, response) => {
      for await (const chunk of request) bodies.push(String(chunk));
      response.end('done');
    });
    proxy.faults.add({ type: 'lose-answer', how: 'reset' }, { nth: 1 });

    await expect(ask(proxy.url, { method: 'POST', body: 'once' })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    expect(bodies).toEqual(['once']);
  });

  it('refuses connections while it is offline, and accepts connections afterwards', async () => {
    const proxy = await setup(echo);

    proxy.goOffline();
    await expect(ask(proxy.url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect([proxy.isOffline, proxy.counts.refused]).toEqual([true, 1]);
    proxy.goOnline();
    expect((await ask(proxy.url)).text).toBe('GET / ');
  });
});
