import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { replaceNul } from './replace-nul.ts';

interface PoolOptions {
  url: string;
  /** Maximum connections. */
  size: number;
  /**
   * Timeouts of each connection in milliseconds; 0 for none. Parameters of the URL take precedence.
   */
  limits: { statement_timeout: number; idle_in_transaction_session_timeout?: number };
  /** Called when a connection breaks. A query in progress also fails. */
  onLost: (error: Error) => void;
}

/** Creates a connection pool for Kysely. Connections are opened on demand. */
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
  // An `error` event without a listener ends the process. The pool listens only to idle
  // connections, so connections in use need another listener.
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
    return client.query(sql, values.map(replaceNul));
  }
  return query;
}

/** Parses `bigint` and `numeric` as numbers: all times, counts and amounts are below 2⁵³. */
const types = new pg.TypeOverrides();
for (const type of [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]) {
  types.setTypeParser(type, Number);
}
