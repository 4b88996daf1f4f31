import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../../../../../scripts/free-port.mjs';
import { watchPostgres } from '../secret-watch/watch-postgres.ts';
import { account, makeDataFolder, type Owner, unprivilegedUser } from './postgres-data.ts';
import { findProgram, type RunningProgram, startProgram } from './program.ts';

/** A PostgreSQL server on its own port, with its data in a temporary folder. */
export interface TestPostgres {
  /** URL of an empty database. */
  readonly url: string;
  /** Creates another empty database, and returns its URL. */
  createDatabase(): Promise<string>;
  /** Stops the server like a crash: its connections are reset, and new connections are refused. */
  down(): Promise<void>;
  /** Starts the server again, on the same port with the same data. */
  up(): Promise<void>;
  /** Stops the server and deletes its folder. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL without durability, for speed. Stop it in `afterAll`.
 *
 * @param parameters Further configuration parameters.
 */
export async function startPostgres(
  parameters: Readonly<Record<string, string>> = {},
): Promise<TestPostgres> {
  const owner = unprivilegedUser();
  const folder = makeDataFolder(owner);
  const data = join(folder, 'data');
  const port = await freePort();
  const serverUrl = `postgres://${account.user}:${account.password}@127.0.0.1:${port}`;
  const urls: string[] = [];
  let running: RunningProgram | null = await start(data, port, owner, parameters);
  // Deletes the folder even if the test run is aborted.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  return {
    url: await createDatabase(),
    createDatabase,
    down,
    async up() {
      running ??= await start(data, port, owner, parameters);
    },
    async stop() {
      for (const databaseUrl of running ? urls : []) await watchPostgres(databaseUrl);
      await down();
      process.off('exit', remove);
      remove();
    },
  };

  async function down(): Promise<void> {
    // SIGQUIT is an immediate shutdown; the data is not needed.
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

function start(
  data: string,
  port: number,
  owner: Owner,
  parameters: Readonly<Record<string, string>>,
): Promise<RunningProgram> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    max_connections: 200,
    fsync: 'off',
    autovacuum: 'off',
    ...parameters,
  };
  return startProgram({
    command: findProgram('postgres', 'postgresql'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([key, to]) => ['-c', `${key}=${to}`])],
    ready: /database system is ready to accept connections/,
    user: owner,
    cwd: data,
  });
}
