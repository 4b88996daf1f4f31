import { createServer } from 'node:http';
import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startNginx } from './nginx.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { findProgram } from './program.ts';
import { startRedis } from './redis.ts';

describe('findProgram', () => {
  it('throws an error that names the package of a missing program', () => {
    expect(() => findProgram('no-such-program', 'some-package')).toThrow(
      /`no-such-program`.*apt-get install some-package/,
    );
  });
});

describe('startPostgres', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  const query = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };

  it('starts a server with separate databases, which survive a restart', async () => {
    const other = await postgres.createDatabase();
    await query(postgres.url, 'create table notes (text text)');
    await query(postgres.url, "insert into notes values ('kept')");
    await postgres.down();
    await expect(query(postgres.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    await postgres.up();

    expect(await query(postgres.url, 'select text from notes')).toEqual([{ text: 'kept' }]);
    await expect(query(other, 'select text from notes')).rejects.toThrow('does not exist');
  });

  it('rejects a wrong password', async () => {
    const url = new URL(postgres.url);
    url.password = 'wrong';

    await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });
});

describe('startRedis', () => {
  it('starts a server that keeps its port after a restart', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const { port } = new URL(redis.url);
    const ping = () =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write('PING\r\n'));
        socket.once('error', reject);
        socket.once('data', (reply) => {
          socket.destroy();
          resolve(String(reply).trim());
        });
      });

    expect(await ping()).toBe('+PONG');
    await redis.down();
    await expect(ping()).rejects.toThrow('ECONNREFUSED');
    await redis.up();
    expect(await ping()).toBe('+PONG');
  });
});

describe('startNginx', () => {
  it('starts an nginx that forwards each event immediately, and skips a process that refuses connections', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const closedServer = createServer();
    await new Promise<void>((resolve) => closedServer.listen(0, '127.0.0.1', resolve));
    const closedAddress = closedServer.address();
    const closedPort = typeof closedAddress === 'object' && closedAddress ? closedAddress.port : 0;
    await new Promise((resolve) => closedServer.close(resolve));
    const nginx = await startNginx({
      upstreams: [`http://127.0.0.1:${closedPort}`, `http://127.0.0.1:${port}`],
    });
    onTestFinished(async () => {
      await nginx.stop();
      server.closeAllConnections();
      server.close();
    });

    for (const _ of [1, 2, 3]) {
      const response = await fetch(nginx.url);
      const reader = response.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      await reader?.cancel();
      expect(new TextDecoder().decode(value)).toBe('data: first\n\n');
    }
  });
});
