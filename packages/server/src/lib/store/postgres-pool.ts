import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { readTimeoutMessage } from '../problems/store-unavailable.ts';
import { statementNameOf } from './prepared.ts';
import { replaceNul } from './replace-nul.ts';

export interface PoolOptions {
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

/** Milliseconds after the statement timeout until a server that has not responded counts as lost. */
const responseMargin = 5_000;
/** Longest delay of Node's timers. */
const maximumDelay = 2 ** 31 - 1;

/**
 * Creates a connection pool for Kysely. Connections are opened on demand. A connection whose server
 * does not respond, for example after a failover, is replaced: without this, it would be used until
 * the operating system gives it up after 15 minutes.
 */
export function openPool({ url, size, limits, onLost }: PoolOptions): PostgresPool {
  const statementTimeout = Number(
    new URL(url).searchParams.get('statement_timeout') ?? limits.statement_timeout,
  );
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'inlay',
    types,
    ...limits,
    ...(statementTimeout > 0 && {
      query_timeout: Math.min(statementTimeout + responseMargin, maximumDelay),
    }),
  });
  // An `error` event without a listener ends the process. The pool listens only to idle
  // connections, so connections in use need another listener.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', onLost));
  return {
    async connect() {
      return toKysely(await pool.connect());
    },
    end: () => pool.end(),
  };
}

function toKysely(client: pg.PoolClient): PostgresPoolClient {
  /** Set when the server does not respond: later queries would wait for the query in progress. */
  let timeout: Error | undefined;
  function query<R>(sql: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query(): never;
  async function query(sql = '', values: readonly unknown[] = []): Promise<unknown> {
    if (timeout) throw timeout;
    try {
      const name = statementNameOf(sql);
      const parameters = values.map(replaceNul);
      return await client.query({ text: sql, values: parameters, ...(name && { name }) });
    } catch (error) {
      if (error instanceof Error && error.message === readTimeoutMessage) timeout = error;
      throw error;
    }
  }
  // With an error, `release` closes the connection.
  return { query, release: () => client.release(timeout) };
}

/** Parses `bigint` and `numeric` as numbers: all times, counts and amounts are below 2⁵³. */
const types = new pg.TypeOverrides();
for (const type of [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]) {
  types.setTypeParser(type, Number);
}
