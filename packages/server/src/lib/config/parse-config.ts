import { nearestName } from '@inlay/protocol/nearest-name';
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
 * @param text Content of the file, in which the error message names lines.
 * @throws `ConfigError`
 */
export function parseConfig(value: unknown, source: string, text = ''): Config {
  // Without `jitless`, zod compiles a validator for each object, which takes longer than it saves here.
  const result = Config.safeParse(value, { error: explain, jitless: true });
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const line = lineOf([...issue.path, ...keys.slice(0, 1)], text);
    return `  ${line === null ? '' : `line ${line}: `}${fieldName(issue.path)} ${issue.message}`;
  });
  throw new ConfigError(`${source} cannot be used:\n${lines.join('\n')}`);
}

function explain(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `has no setting \`${key}\`; ${hint(key, issue)}`).join(', and ');
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return undefined;
}

function hint(key: string, { inst }: z.core.$ZodRawIssue): string {
  const { shape = {} } = (inst?._zod.def ?? {}) as { shape?: object };
  const nearest = nearestName(key, Object.keys(shape));
  return nearest ? `did you mean \`${nearest}\`?` : 'check the spelling';
}

/**
 * Returns the line of a setting in the text of its file: where the names of its path follow each other. Null
 * if the text does not contain them, or if the last name occurs again, so that the line may be another one.
 */
function lineOf(path: readonly PropertyKey[], text: string): number | null {
  const names = path.filter((part) => typeof part === 'string');
  const places = (name: string, from: number) =>
    [
      ...text.matchAll(
        new RegExp(`(?<![\\w$])(["']?)${name.replace(/\W/g, '\\$&')}\\1\\s*[:,}]`, 'g'),
      ),
    ]
      .map(({ index }) => index)
      .filter((index) => index >= from);
  let place = 0;
  for (const name of names) {
    const [first] = places(name, place);
    if (first === undefined) return null;
    place = first;
  }
  const isInFirstItems = path.every((part) => typeof part !== 'number' || part === 0);
  const last = names.at(-1);
  if (last === undefined || (!isInFirstItems && places(last, 0).length > 1)) return null;
  return text.slice(0, place).split('\n').length;
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
