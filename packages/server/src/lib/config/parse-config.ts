import type * as z from 'zod';
import { Config } from './config.ts';

/**
 * The server cannot use the configuration, the environment or a backend. The message is for the
 * operator: it names each invalid setting with its remedy.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Validates a configuration.
 *
 * @param source Name of the file, for the error message.
 * @throws `ConfigError`
 */
export function parseConfig(value: unknown, source: string): Config {
  // Without `jitless`, zod compiles a validator for each object, which takes longer than it saves here.
  const result = Config.safeParse(value, { error: explain, jitless: true });
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${fieldName(issue.path)} ${issue.message}`);
  throw new ConfigError(`${source} cannot be used:\n${lines.join('\n')}`);
}

function explain(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `\`${key}\``).join(', ');
    return `has no setting ${names}; check the spelling`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return undefined;
}

/** Formats a path, for example as `agents[0].embed.max_ttl_seconds`. */
function fieldName(path: readonly PropertyKey[]): string {
  const name = path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : `${text}${text && '.'}${String(part)}`,
    '',
  );
  return name || 'the configuration';
}
