import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { watchPostgres } from '../secret-watch/watch-postgres.ts';
import { account, makeDataFolder, type Owner, unprivilegedUser } from './postgres-data.ts';
import { findProgram, freePort, type RunningProgram, startProgram } from './program.ts';

/** A real PostgreSQL on a port of its own, in a temporary folder. */
export interface TestPostgres {
  /** Of an empty database. */
  readonly url: string;
  /** Another empty database on it. Returns its address. */
  createDatabase(): Promise<string>;
  /** Away, as in a crash: connections break, and nobody answers on the port. */
  down(): Promise<void>;
  /** Back on the same port, with the same data. */
  up(): Promise<void>;
  /** Ends it and removes its folder. Twice is fine. */
  stop(): Promise<void>;
}

/** Starts one. It keeps nothing safe from a power cut, and so is quick. Stop it in `afterAll`. */
export async function startPostgres(): Promise<TestPostgres> {
  const owner = unprivilegedUser();
  const folder = makeDataFolder(owner);
  const data = join(folder, 'data');
  const port = await freePort();
  const serverUrl = `postgres://${account.user}:${account.password}@127.0.0.1:${port}`;
  const urls: string[] = [];
  let running: RunningProgram | null = await start(data, port, owner);
  // Also where the tests are broken off, and nobody stops it.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  return {
    url: await createDatabase(),
    createDatabase,
    down,
    async up() {
      running ??= await start(data, port, owner);
    },
    async stop() {
      for (const each of running ? urls : []) await watchPostgres(each);
      await down();
      process.off('exit', remove);
      remove();
    },
  };

  async function down(): Promise<void> {
    // Immediate shutdown: nothing of it is needed any more.
    await running?.end('SIGQUIT');
    running = null;
  }

  async function createDatabase(): Promise<string> {
    const name = `inlay_${urls.length + 1}`;
    const url = `${serverUrl}/${name}`;
    urls.push(url);
    const client = new pg.Client({ connectionString: `${serverUrl}/postgres` });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    return url;
  }
}

function start(data: string, port: number, owner: Owner): Promise<RunningProgram> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    max_connections: 200,
    fsync: 'off',
    autovacuum: 'off',
  };
  return startProgram({
    command: findProgram('postgres', 'postgresql'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([key, to]) => ['-c', `${key}=${to}`])],
    ready: /database system is ready to accept connections/,
    user: owner,
    cwd: data,
  });
}
