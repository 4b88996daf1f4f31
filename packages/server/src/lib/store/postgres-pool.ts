import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';

interface PoolOptions {
  url: string;
  /** Connections at most. */
  size: number;
  /** Of each connection, in milliseconds; 0 is none. What the address says goes before them. */
  limits: { statement_timeout: number; idle_in_transaction_session_timeout?: number };
  /** A connection broke. Whoever was using it is told besides, by an error of their query. */
  onLost: (error: Error) => void;
}

/** Connections for Kysely, opened as they are needed. */
export function openPool({ url, size, limits, onLost }: PoolOptions): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'inlay',
    types,
    ...limits,
  });
  // Without a listener, the end of a connection would end the process: the pool listens while one is
  // idle, and the connection itself has to be listened to for the rest of the time.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', onLost));
  return {
    async connect() {
      const client = await pool.connect();
      return { query: queryOf(client), release: () => client.release() };
    },
    end: () => pool.end(),
  };
}

function queryOf(client: pg.PoolClient): PostgresPoolClient['query'] {
  function query<R>(sql: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query(): never;
  function query(sql = '', values: readonly unknown[] = []): unknown {
    return client.query(sql, values.map(storable));
  }
  return query;
}

/** Moments, counts and money are numbers in this program, and all of them are below 2⁵³. */
const types = new pg.TypeOverrides();
for (const type of [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]) {
  types.setTypeParser(type, Number);
}

/** PostgreSQL has no U+0000 in texts, and refuses the query. The sign for an unknown one stands in. */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\ufffd')
    : value;
}
