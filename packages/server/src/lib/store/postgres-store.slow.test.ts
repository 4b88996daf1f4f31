import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createFirstApiKey } from '../auth/api-keys.ts';
import { systemClock } from '../clock.ts';
import { ConfigError } from '../config/parse-config.ts';
import { createLogger } from '../log/logger.ts';
import { isStoreUnavailable } from '../problems/store-unavailable.ts';
import { systemRandom } from '../random.ts';
import { startPostgres, type TestPostgres } from '../testing/services/postgres.ts';
import { createPostgresStore } from './postgres-store.ts';
import type { Store } from './store.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const logLines: string[] = [];
const log = createLogger(Date.now, (line) => logLines.push(line));

async function open(url: string, poolSize = 3): Promise<Store> {
  const store = await createPostgresStore({ url, poolSize, log });
  onTestFinished(() => store.close());
  return store;
}

/** A promise, and a function that resolves it. */
function createGate() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function withParts(parts: Partial<Pick<URL, 'password' | 'pathname' | 'port' | 'search'>>): string {
  return Object.assign(new URL(postgres.url), parts).href;
}

describe('a PostgreSQL store', () => {
  it('is migrated once by processes that start simultaneously, and keeps its data', async () => {
    const url = await postgres.createDatabase();

    const stores = await Promise.all(Array.from({ length: 8 }, () => open(url)));
    const keys = await Promise.all(
      stores.map((store) => createFirstApiKey({ store, clock: systemClock, random: systemRandom })),
    );
    const later = await open(url);

    expect(keys.filter((key) => key !== null)).toHaveLength(1);
    expect(await later.db.selectFrom('api_keys').select('name').execute()).toHaveLength(1);
  });

  it('returns integers beyond 32 bits as numbers', async () => {
    const { db } = await open(await postgres.createDatabase());
    const year2040 = Date.UTC(2040, 1);

    await db.insertInto('api_keys').values({ hash: 'a', created_at: year2040 }).execute();
    await db.insertInto('api_keys').values({ hash: 'b', created_at: year2040 }).execute();

    const row = await db
      .selectFrom('api_keys')
      .select(({ fn }) => [fn.sum('created_at').as('sum'), fn.max('created_at').as('max')])
      .executeTakeFirst();
    expect(row).toEqual({ sum: 2 * year2040, max: year2040 });
  });

  it('retries a transaction that was aborted by a deadlock', async () => {
    const url = await postgres.createDatabase();
    const [first, second] = [await open(url), await open(url)];
    const add = (store: Store, hash: string) =>
      store.db.insertInto('api_keys').values({ hash, created_at: 0 }).execute();
    for (const hash of ['a', 'b']) await add(first, hash);
    let attempts = 0;
    const gates = [createGate(), createGate()];

    // Each transaction needs the lock of the other.
    await Promise.all(
      [first, second].map((store, index) =>
        store.transaction(async (transaction) => {
          attempts += 1;
          const order = index === 0 ? ['a', 'b'] : ['b', 'a'];
          for (const hash of order) {
            await transaction
              .updateTable('api_keys')
              .set(({ eb }) => ({ created_at: eb('created_at', '+', 1) }))
              .where('hash', '=', hash)
              .execute();
            gates[index]?.resolve();
            await gates[1 - index]?.promise;
          }
        }),
      ),
    );

    const rows = await first.db.selectFrom('api_keys').select('created_at').execute();
    // More than three attempts are possible: if the retried transaction locks its first row before
    // the waiting one gets it, there is another deadlock.
    expect(attempts).toBeGreaterThan(2);
    expect(rows).toEqual([{ created_at: 2 }, { created_at: 2 }]);
  });

  it('reserves connections for `Store.priority`', async () => {
    const store = await open(await postgres.createDatabase(), 1);
    const end = createGate();
    const busy = store.transaction(() => end.promise);
    const waiting = sql`select 1 as one`.execute(store.db);

    const { rows } = await sql`select 2 as two`.execute(store.priority.db);

    expect(rows).toEqual([{ two: 2 }]);
    end.resolve();
    await Promise.all([busy, waiting]);
  });

  it('reconnects after a restart of the database', async () => {
    const store = await open(await postgres.createDatabase());
    const query = () => sql`select 1 as one`.execute(store.db);
    await query();
    const activeTransaction = store.transaction(async (transaction) => {
      await sql`select pg_sleep(60)`.execute(transaction);
    });
    const failed = expect(activeTransaction).rejects.toThrow();

    await postgres.down();
    await failed;
    await expect(query()).rejects.toThrow();
    await postgres.up();

    expect((await query()).rows).toEqual([{ one: 1 }]);
    expect(logLines.join()).toContain('a connection to the database was lost');
  });

  it('replaces a connection whose server process does not respond', async () => {
    const url = new URL(await postgres.createDatabase());
    url.searchParams.set('statement_timeout', '1000');
    const store = await open(url.href, 1);

    const transaction = store.transaction(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      const [{ pid } = { pid: 0 }] = rows;
      process.kill(pid, 'SIGSTOP');
      onTestFinished(() => void process.kill(pid, 'SIGCONT'));
      await sql`select 1 as one`.execute(tx);
    });

    const failure = await transaction.catch((error: unknown) => error);
    expect(isStoreUnavailable(failure)).toBe(true);
    const { rows } = await sql`select 2 as two`.execute(store.db);
    expect(rows).toEqual([{ two: 2 }]);
  });
});

describe('createPostgresStore', () => {
  it.each([
    ['a URL of another database', () => 'mysql://u:not-a-secret@h/d', /must be the URL/],
    ['an invalid URL', () => 'not-a-secret', /must be the URL of a PostgreSQL database/],
    [
      'a wrong password',
      () => withParts({ password: 'not-a-secret-2' }),
      /rejects the login of inlay/,
    ],
    ['an unknown database', () => withParts({ pathname: 'other' }), /createdb other/],
    ['a closed port', () => withParts({ port: '1' }), /no PostgreSQL responds\. Start it/],
    ['an unknown host', () => 'postgres://u:not-a-secret@db.invalid/d', /db\.invalid/],
    [
      'a server without TLS',
      () => withParts({ search: 'sslmode=verify-full' }),
      /does not support TLS/,
    ],
  ])(
    'rejects %s with an error that explains the remedy and does not contain the password',
    async (_name, url, remedy) => {
      const failure = await open(url()).catch((error: unknown) => error);

      expect(failure).toBeInstanceOf(ConfigError);
      expect(String(failure)).toMatch(remedy);
      expect(String(failure)).not.toContain('not-a-secret');
      expect(logLines.join()).not.toContain('not-a-secret');
    },
  );

  it('opens a database that was migrated by the next version, as in a rolling deployment', async () => {
    const url = await postgres.createDatabase();
    const { db } = await open(url);
    await sql`insert into migrations values ('9999-later')`.execute(db);

    const reopened = await open(url);

    expect(await reopened.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });

  it('rejects a database with a migration between those that this version has', async () => {
    const url = await postgres.createDatabase();
    const { db } = await open(url);
    await sql`insert into migrations values ('0000-other')`.execute(db);

    await expect(open(url)).rejects.toThrow(/another version of this server/);
  });
});
