import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../app.ts';
import type { ConfigInput } from '../config/config.ts';
import { listen } from '../testing/listen.ts';
import { setupServer } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const fileBytes = 4_000_000;
const health = '/meta/v1/health';

async function setup(config: Partial<ConfigInput> = {}) {
  const webDirectory = temporaryFolder();
  mkdirSync(join(webDirectory, 'api-reference'));
  for (const path of ['inlay.js', 'api-reference/swagger-ui-bundle.js']) {
    writeFileSync(join(webDirectory, path), 'a'.repeat(fileBytes));
  }
  const server = await setupServer({ webDirectory, config });
  const handled = { now: 0, most: 0, total: 0 };
  const app: App = {
    ...server.app,
    async fetch(...args) {
      handled.total += 1;
      handled.now += 1;
      handled.most = Math.max(handled.most, handled.now);
      try {
        return await server.app.fetch(...args);
      } finally {
        handled.now -= 1;
      }
    },
  };
  const http = await listen(app);
  const open = async () => {
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  return { ...server, ...http, handled, open };
}

const get = (path: string, fields = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${fields}\r\n`;

/** Reads until the server closes the connection. */
async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

describe('requests that are pipelined on one connection', () => {
  it('are handled one after the other, and answered in their order', async () => {
    const { open, handled } = await setup();
    const socket = await open();

    const paths = ['/nowhere', health, '/nowhere', health, health, '/nowhere'];
    socket.write(paths.map((path) => get(path)).join('') + get(health, 'connection: close\r\n'));

    expect(statusesOf(await readAll(socket))).toEqual([404, 200, 404, 200, 200, 404, 200]);
    expect(handled).toEqual({ now: 0, most: 1, total: 7 });
  });

  it.each(['/meta/v1/docs/swagger-ui-bundle.js', '/inlay.js'])(
    'get one 503 if there are 600 of them, and start no work: %s',
    async (path) => {
      const { open, handled } = await setup();
      const socket = await open();

      socket.write(get(path).repeat(600));

      const response = await readAll(socket);
      expect(statusesOf(response)).toEqual([503]);
      expect(response).toContain('x-service-problem-code: SERVICE_UNAVAILABLE');
      expect(handled.total).toBe(1);
    },
  );

  it('do not start while the client does not read the response before them', async () => {
    const { open, handled, url } = await setup();
    const socket = await open();

    socket.pause().write(get('/inlay.js').repeat(10));

    expect((await fetch(`${url}${health}`)).status).toBe(200);
    await expect.poll(() => handled.total).toBeGreaterThan(1);
    expect(handled.total).toBeLessThan(5);
  });

  it('do not get a response in the middle of the one before them', async () => {
    const { open } = await setup();
    const socket = await open();

    // More than fits into the buffers of the operating system, so that one response is in progress.
    socket.pause().write(get('/inlay.js').repeat(10));
    await once(socket, 'readable');
    socket.write('hello\r\n\r\n');

    // The invalid request may be read during a response, which ends the connection, or after the last one.
    const responses = (await readAll(socket)).split('HTTP/1.1 ').slice(1);
    for (const response of responses.slice(0, -1)) {
      expect(response.length - response.indexOf('\r\n\r\n') - 4).toBe(fileBytes);
    }
    expect(statusesOf(`HTTP/1.1 ${responses[0]}`)).toEqual([200]);
  });
});

describe('a connection on which the client reads nothing', () => {
  it.each(['/inlay.js', '/meta/v1/docs/swagger-ui-bundle.js'])(
    'is closed after `download_idle_seconds`: %s',
    async (path) => {
      const { open, connections } = await setup({
        limits: { request: { download_idle_seconds: 1 } },
      });
      const sockets = await Promise.all(Array.from({ length: 20 }, open));

      // Several, so that they do not fit into the buffers of the operating system.
      for (const socket of sockets) socket.pause().write(get(path).repeat(4));

      await expect.poll(connections, { timeout: 10_000 }).toBe(0);
    },
  );

  it('is closed after a refused request, even if the client never closes its side', async () => {
    const server = await setupServer();
    const http = await listen(server.app, { connectTimeout: 20 });
    const port = Number(new URL(http.url).port);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.resume().write('hello\r\n\r\n');
    await once(socket, 'end');

    await expect.poll(http.connections).toBe(0);
  });
});

describe('open connections', () => {
  const isClosedAtOnce = async (socket: Socket) => {
    const closed = once(socket.resume(), 'close').then(() => true);
    socket.write(get(health));
    return Promise.race([closed, once(socket, 'data').then(() => false)]);
  };

  it('are at most `process.source_connections` from one source', async () => {
    const { open, logLines } = await setup({ limits: { process: { source_connections: 2 } } });
    const first = await open();
    const second = await open();
    const third = await open();

    expect([await isClosedAtOnce(third), await isClosedAtOnce(second)]).toEqual([true, false]);
    first.destroy();
    await expect.poll(async () => isClosedAtOnce(await open())).toBe(false);
    expect(logLines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        message: 'connections refused',
        limit: 'process.source_connections',
        source: '127.0.0.1',
        refused: 1,
      }),
    );
  });

  it('are not counted by source behind trusted proxies', async () => {
    const { open } = await setup({
      trusted_proxies: 1,
      limits: { process: { source_connections: 1 } },
    });
    await open();

    expect(await isClosedAtOnce(await open())).toBe(false);
  });

  it('are at most `process.connections` in total', async () => {
    const { open } = await setup({
      trusted_proxies: 1,
      limits: { process: { connections: 1 } },
    });
    await open();

    expect(await isClosedAtOnce(await open())).toBe(true);
  });
});
