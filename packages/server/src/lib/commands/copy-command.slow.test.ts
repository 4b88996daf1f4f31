import { join } from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import { createLogger } from '../log/logger.ts';
import { createPostgresStore } from '../store/postgres-store.ts';
import { createSqliteStore } from '../store/sqlite-store.ts';
import { type Conversation, startConversation } from '../testing/process-conversation.ts';
import {
  runCommand,
  type ServerProcess,
  spawnServer,
  startProcess,
} from '../testing/server-process.ts';
import { startPostgres, type TestPostgres } from '../testing/services/postgres.ts';
import { isType, message } from '../testing/setup-conversation.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const log = createLogger(systemClock.now, () => {});

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const copy = (data: string, url: string, environment = {}) =>
  runCommand(['copy', '--to', url], { INLAY_DATA: data, ...environment });

/** Creates an embedded store, and opens its file. */
async function createStore() {
  const data = temporaryFolder();
  await (await createSqliteStore({ data })).close();
  const database = new Database(join(data, 'inlay.db'));
  onTestFinished(() => void database.close());
  return { data, database };
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Migrates a database, and returns a connection to it. */
async function createDatabase() {
  const url = await postgres.createDatabase();
  await (await createPostgresStore({ url, log })).close();
  return { url, client: await connect(url) };
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
  );
  return rows.map(({ tablename }) => tablename);
}

interface Column {
  name: string;
  type: string;
  notnull: number;
}

/** Fills a table with rows whose values all differ, and one whose columns are null where they may be. */
function fill(database: Database.Database, table: string, count: number): void {
  const columns = database.prepare(`pragma table_info(${table})`).all() as Column[];
  const names = columns.map(({ name }) => name);
  const insert = database.prepare(
    `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
  );
  for (let row = 1; row <= count; row += 1) {
    const values = columns.map(({ name, type, notnull }) => {
      if (row === 1 && !notnull && name !== 'id') return null;
      if (/int/i.test(type)) return (type === 'bigint' ? 2 ** 52 : 0) + row;
      if (/blob|bytea/i.test(type)) return Buffer.from([row % 256, 0, 255, 39, 92]);
      return `${table}.${name} ${row} ' \\ äß 🙂`;
    });
    insert.run(values);
  }
}

const toText = (value: unknown) =>
  value instanceof ArrayBuffer || value instanceof Uint8Array
    ? Buffer.from(value as Uint8Array).toString('hex')
    : value;

/** The rows of a table in a comparable form, without what differs between the engines. */
function comparable(table: string, rows: readonly object[]): string[] {
  return rows
    .map((row) => {
      const { terms, ...fields } = row as Record<string, unknown>;
      if (table === 'session_texts' || table === 'vector_store_chunks') delete fields.id;
      // The terms of a copied text are complete.
      delete fields.has_words;
      const entries = Object.entries(fields).map(([name, value]) => [name, toText(value)]);
      return JSON.stringify(entries.toSorted());
    })
    .toSorted();
}

describe('inlay-server copy', () => {
  it('copies all rows of all tables, or none if it is interrupted', async () => {
    const { data, database } = await createStore();
    const { url, client } = await createDatabase();
    client.setTypeParser(pg.types.builtins.INT8, Number);
    const tables = await tablesOf(client);
    for (const table of tables) fill(database, table, table === 'events' ? 1_100 : 3);
    await client.query(`create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'interrupted'; end $$;
      create trigger fail before insert on workers execute function fail()`);

    const interrupted = await copy(data, url);
    const leftRows: string[] = [];
    for (const table of tables) {
      const { rowCount } = await client.query(`select 1 from ${table}`);
      if (rowCount !== 0) leftRows.push(table);
    }
    await client.query('drop trigger fail on workers');
    const { status, stdout } = await copy(data, url);

    expect(interrupted.status).toBe(1);
    expect(interrupted.stderr).toContain('interrupted');
    expect(leftRows).toEqual([]);
    expect(status).toBe(0);
    expect(stdout).toContain('events  1100');
    for (const table of tables) {
      const { rows } = await client.query(`select * from ${table}`);
      const stored = database.prepare(`select * from ${table}`).all() as object[];
      expect(rows.length).toBeGreaterThan(2);
      expect(comparable(table, rows)).toEqual(comparable(table, stored));
    }
    for (const table of ['session_texts', 'vector_store_chunks']) {
      const { rows } = await client.query(`select terms from ${table}`);
      expect(rows.map(({ terms }) => terms)).not.toContain(null);
    }
  });

  it('a server continues on PostgreSQL with the conversations, files, keys and tokens', async () => {
    const data = temporaryFolder();
    const server = await startProcess(data);
    const conversation = await startConversation(server, 'hello');
    const { stdout } = await runCommand(['keys', 'create'], { INLAY_DATA: data });
    const key = stdout.trim().split(': ')[1] ?? '';
    const url = await postgres.createDatabase();
    const whileRunning = await copy(data, url);
    server.child.kill('SIGTERM');
    await server.exited;

    const copied = await copy(data, url);
    const continued = await spawnServer({}, { DATABASE_URL: url });
    onTestFinished(() => continued.kill());

    expect(whileRunning.stderr).toContain('another server is using this directory');
    expect(copied.status).toBe(0);
    expect(copied.stdout).toContain('with the contents of 1 file.');
    await expectContinued(continued, conversation);
    expect((await continued.call(key, 'GET', '/embed_tokens')).status).toBe(200);
    const { password } = new URL(url);
    const again = await copy(data, url.replace(`:${password}@`, '@'), { PGPASSWORD: password });
    expect(again.stderr).toContain('The PostgreSQL database is not empty');
    expect(JSON.stringify([whileRunning, copied])).not.toContain(password);
  });

  it('refuses databases that it cannot copy, without their passwords', async () => {
    // A store each, because a command locks its store.
    const [{ data }, other, newer, { url, client }] = [
      await createStore(),
      await createStore(),
      await createStore(),
      await createDatabase(),
    ];
    newer.database.exec(`insert into migrations values ('9999-newer')`);
    await client.query(`delete from migrations where name like '0010%'`);
    const wrong = new URL(url);
    wrong.password = 'not-the-password';

    const errors = await Promise.all([
      copy(newer.data, url),
      copy(data, url),
      copy(other.data, wrong.href),
      copy(data, 'https://inlay:not-the-password@localhost/inlay'),
      copy(data, url, { DATABASE_URL: url }),
      runCommand(['copy', wrong.href], { INLAY_DATA: data }),
    ]);

    expect(errors.map(({ stderr }) => stderr)).toEqual([
      expect.stringMatching(/^The store in .* has the tables of another version/),
      expect.stringMatching(/^The PostgreSQL database has the tables of another version/),
      expect.stringMatching(/rejects the login of .*password in --to/),
      expect.stringMatching(/^--to must be a URL/),
      expect.stringMatching(/^DATABASE_URL is set/),
      expect.stringMatching(/^Usage/),
    ]);
    expect(JSON.stringify(errors)).not.toContain('not-the-password');
  });
});

/** Reads everything of the conversation, and continues it. */
async function expectContinued(
  server: ServerProcess,
  { token, session, file, content }: Conversation,
): Promise<void> {
  const download = await server.call(token, 'GET', `/files/${file}/content`);
  expect(await download.text()).toBe(content);
  const found = await server.call(token, 'GET', '/sessions?q=hello');
  expect(await found.json()).toMatchObject({ data: [{ id: session }] });
  const stream = await server.follow(token, session);
  await stream.until(isType('session.status_idle'));
  await server.call(token, 'POST', `/sessions/${session}/events`, { events: [message('again')] });
  await stream.until(isType('user.message'));
  await stream.until(isType('session.status_idle'));
  const seqs = stream.seen.flatMap(({ data }) => ('seq' in data ? data.seq : []));
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(stream.seen.filter(isType('agent.message'))).toHaveLength(2);
}
