import { readFileSync } from 'node:fs';
import { audited, commandOperation, describeChange, withAudit } from '../audit/audit.ts';
import { ConfigError } from '../config/parse-config.ts';
import type { ServiceOptions } from '../service-options.ts';

export const erasuresUsage = `inlay-server erasures export          prints the erasures of persons, to be kept with the backups
inlay-server erasures replay <file>   repeats them in a store that was restored from a backup`;

/**
 * Runs `inlay-server erasures`.
 *
 * @returns The text to print.
 * @throws ConfigError If the arguments or the file are invalid. The message contains the remedy.
 */
export async function runErasuresCommand(
  args: readonly string[],
  given: Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'log' | 'config'>,
): Promise<string> {
  const options = { ...given, store: withAudit(given.store) };
  // Loaded on demand, so that the server starts faster.
  const { exportErasures, replayErasures } = await import('../erasure/replay-erasures.ts');
  const [verb, file, ...more] = args;
  if (verb === 'export' && file === undefined) {
    const operation = commandOperation('erasures export', 'erasures');
    return audited(options, operation, () => exportErasures(options));
  }
  if (verb === 'replay' && file !== undefined && more.length === 0) {
    const text = readFile(file);
    return audited(options, commandOperation('erasures replay', 'erasures'), async () => {
      const count = await replayErasures(given, text);
      describeChange({ subject: 'erasures', after: { erased_users: count } });
      return `Erased ${count} ${count === 1 ? 'person' : 'persons'} again.`;
    });
  }
  throw new ConfigError(`Usage:\n${erasuresUsage}`);
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new ConfigError(`The file with the erasures cannot be read: ${reason}`);
  }
}
