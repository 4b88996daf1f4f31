import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../config/parse-config.ts';
import { requireDatabaseUrl, type Settings } from '../config/settings.ts';
import type { Logger } from '../log/logger.ts';

export const copyUsage =
  'inlay-server copy --to <postgres://…>   copies the embedded store to an empty PostgreSQL database';

/**
 * Runs `inlay-server copy`. It reads files that its caller can read without it, so it is not part of the
 * audit record.
 *
 * @returns The text to print.
 * @throws ConfigError If the arguments are invalid, or a database cannot be used. The message contains the
 *   remedy, and no password.
 */
export async function runCopyCommand(
  args: readonly string[],
  { data, databaseUrl }: Pick<Settings, 'data' | 'databaseUrl'>,
  log: Logger,
): Promise<string> {
  const url = readTarget(args);
  requireDatabaseUrl(url, '--to');
  if (databaseUrl !== null) {
    throw new ConfigError(
      'DATABASE_URL is set, and this command copies the embedded store. Unset it for the copy. A PostgreSQL database is copied with `pg_dump`.',
    );
  }
  // Loaded on demand, so that the server starts faster.
  const [{ copyToPostgres }, { explainFailure }] = await Promise.all([
    import('../store/copy-to-postgres.ts'),
    import('../store/explain-failure.ts'),
  ]);
  const { rows, files, missing } = await copyToPostgres({ data, url, log }).catch(
    (error: unknown) => {
      throw explainFailure(error, url, '--to');
    },
  );
  return [
    ...Object.entries(rows)
      .filter(([, count]) => count > 0)
      .map(([table, count]) => `${table}  ${count}`),
    `Copied the store in ${resolve(data)}, with the contents of ${files} ${files === 1 ? 'file' : 'files'}. The numbers of rows are the same.`,
    ...(missing > 0
      ? [
          `The directory of the store lacks the contents of ${missing} more. An object storage keeps its files.`,
        ]
      : []),
    'Start the server with DATABASE_URL from now on, and without INLAY_DATA.',
  ].join('\n');
}

function readTarget(args: readonly string[]): string {
  try {
    const { to } = parseArgs({ args: [...args], options: { to: { type: 'string' } } }).values;
    if (to) return to;
  } catch {
    // The message of `parseArgs` may quote the URL, which contains a password.
  }
  throw new ConfigError(`Usage:\n${copyUsage}`);
}
