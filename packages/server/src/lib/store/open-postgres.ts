import { Kysely, PostgresDialect, PostgresQueryCompiler, type QueryCompiler } from 'kysely';
import { describeError, type Logger } from '../log/logger.ts';
import { openPool, type PoolOptions } from './postgres-pool.ts';
import type { Schema } from './schema.ts';

/** Opens a PostgreSQL database with a pool of connections, which are opened on demand. */
export function openPostgres(
  options: Omit<PoolOptions, 'onLost'> & { readonly log: Logger },
): Kysely<Schema> {
  const { log, ...rest } = options;
  const pool = openPool({
    ...rest,
    // The next query uses another connection, or reports the error.
    onLost: (error) => log.warn('a connection to the database was lost', describeError(error)),
  });
  return new Kysely<Schema>({ dialect: new Dialect({ pool }) });
}

class Dialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new Compiler();
  }
}

/** Translates SQLite's `instr`, which the queries use, to PostgreSQL. */
class Compiler extends PostgresQueryCompiler {
  protected override visitFunction(
    ...[node]: Parameters<PostgresQueryCompiler['visitFunction']>
  ): void {
    super.visitFunction(node.func === 'instr' ? { ...node, func: 'strpos' } : node);
  }
}
