import { resolve } from 'node:path';
import { ConfigError } from '../config/parse-config.ts';
import type { Settings } from '../config/settings.ts';

export const backupUsage =
  'inlay-server backup <file>   copies the embedded store to a file, also while the server runs';

/**
 * Runs `inlay-server backup`. It reads files that its caller can read without it, and changes nothing, so
 * it is not part of the audit record.
 *
 * @returns The text to print.
 * @throws ConfigError If the arguments are invalid or the backup fails. The message contains the remedy.
 */
export async function runBackupCommand(
  args: readonly string[],
  { data, databaseUrl }: Pick<Settings, 'data' | 'databaseUrl'>,
): Promise<string> {
  const [name, ...more] = args;
  if (!name || name.startsWith('-') || more.length > 0) {
    throw new ConfigError(`Usage:\n${backupUsage}`);
  }
  if (databaseUrl !== null) {
    throw new ConfigError(
      'DATABASE_URL is set, and this command copies the embedded store. Back up PostgreSQL with `pg_dump --format=custom`.',
    );
  }
  const file = resolve(name);
  // Loaded on demand, so that the server starts faster.
  const { backUpSqlite } = await import('../store/back-up-sqlite.ts');
  const { bytes, files, missing } = await backUpSqlite(data, file).catch((cause: unknown) => {
    if (cause instanceof ConfigError) throw cause;
    const reason = cause instanceof Error ? cause.message : cause;
    throw new ConfigError(
      `The backup could not be written to ${file}: ${reason}. Nothing of it was kept. Check the directory and its free space.`,
      { cause },
    );
  });
  return [
    `Backed up ${resolve(data)} to ${file}: ${(bytes / 1e6).toFixed(1)} MB, with the contents of ${files} ${files === 1 ? 'file' : 'files'}.`,
    ...(missing > 0
      ? [
          `Without the contents of ${missing} more: they are in the object storage, or were deleted meanwhile.`,
        ]
      : []),
  ].join('\n');
}
