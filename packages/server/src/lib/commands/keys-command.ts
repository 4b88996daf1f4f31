import { parseArgs } from 'node:util';
import { audited, commandOperation, describeChange, withAudit } from '../audit/audit.ts';
import {
  apiKeyName,
  createNamedApiKey,
  defaultOverlap,
  limitApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../auth/api-keys.ts';
import { isoTime } from '../clock.ts';
import type { CallLimits } from '../config/embed-policy.ts';
import { ConfigError } from '../config/parse-config.ts';
import type { ServiceOptions } from '../service-options.ts';

export const keysUsage = `inlay-server keys list
inlay-server keys create [name]
inlay-server keys rotate <id> [--overlap <seconds>]   the old key keeps working for a day by default
inlay-server keys limit <id> [--requests-per-second <n>] [--concurrent <n>]   without a number: as configured
inlay-server keys revoke <id>`;

/**
 * Runs `inlay-server keys`. Keys are managed by this command and in the console, not by the API, so that a
 * leaked key cannot create other keys.
 *
 * @returns The text to print.
 * @throws ConfigError If the arguments are invalid. The message contains the remedy.
 * @throws ApiError If the key does not exist or has ended.
 */
export async function runKeysCommand(
  args: readonly string[],
  given: Pick<ServiceOptions, 'store' | 'clock' | 'random'>,
): Promise<string> {
  const deps = { ...given, store: withAudit(given.store) };
  const { verb, subject, options } = readArguments(args);
  const { overlap, ...limits } = options;
  const isEmpty = (values: object) => Object.values(values).every((value) => value === undefined);
  if (verb === 'list' && subject === undefined && isEmpty(options)) return list(deps);
  if (verb === 'create' && isEmpty(options)) {
    const name = nameOf(subject);
    return change('create', async () => describeNewKey((await createNamedApiKey(deps, name)).key));
  }
  if (verb === 'rotate' && subject !== undefined && isEmpty(limits)) {
    const overlapSeconds = secondsOf(overlap);
    return change('rotate', async () =>
      describeNewKey(await rotateApiKey(deps, subject, overlapSeconds)),
    );
  }
  if (verb === 'limit' && subject !== undefined && overlap === undefined) {
    const newLimits = limitsOf(limits);
    return change('limit', async () => {
      describeChange({ after: newLimits });
      await limitApiKey(deps, subject, newLimits);
      return `Changed the limits of ${subject}.`;
    });
  }
  if (verb === 'revoke' && subject !== undefined && isEmpty(options)) {
    return change('revoke', async () => {
      await revokeApiKey(deps, subject);
      return `Revoked ${subject}.`;
    });
  }
  throw new ConfigError(`Usage:\n${keysUsage}`);

  function change(action: string, work: () => Promise<string>): Promise<string> {
    const operation = commandOperation(`keys ${action}`, `api_keys/${subject}`);
    return audited(deps, operation, work);
  }
}

function readArguments(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        overlap: { type: 'string' },
        'requests-per-second': { type: 'string' },
        concurrent: { type: 'string' },
      },
    });
    const [verb, subject, ...more] = positionals;
    if (more.length === 0) return { verb, subject, options: values };
  } catch (cause) {
    throw new ConfigError(
      `${cause instanceof Error ? cause.message : cause}\nUsage:\n${keysUsage}`,
    );
  }
  throw new ConfigError(`Usage:\n${keysUsage}`);
}

/** Parses the values of `--requests-per-second` and `--concurrent`. */
function limitsOf(options: Record<string, string | undefined>): Partial<CallLimits> {
  return Object.fromEntries(
    Object.entries(options).map(([name, text]) => {
      if (text !== undefined && /^[1-9]\d{0,5}$/.test(text)) {
        return [name.replaceAll('-', '_'), Number(text)];
      }
      throw new ConfigError(`--${name} must be a number from 1 to 999999. Usage:\n${keysUsage}`);
    }),
  );
}

async function list({ store, clock }: Pick<ServiceOptions, 'store' | 'clock'>): Promise<string> {
  const keys = await listApiKeys(store.db);
  if (keys.length === 0) return 'No API key in the store.';
  return keys
    .map(({ id, name, createdAt, endsAt, lastUsedAt, limits }) =>
      [
        id,
        name ?? '-',
        `created ${isoTime(createdAt)}`,
        stateOf(endsAt, clock.now()),
        lastUsedAt === null ? 'never used' : `used ${isoTime(lastUsedAt)}`,
        ...(limits.requests_per_second ? [`${limits.requests_per_second} per second`] : []),
        ...(limits.concurrent ? [`${limits.concurrent} concurrent`] : []),
      ].join('  '),
    )
    .join('\n');
}

function stateOf(endsAt: number | null, now: number): string {
  if (endsAt === null) return 'active';
  return `${endsAt > now ? 'ends' : 'ended'} ${isoTime(endsAt)}`;
}

function nameOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (apiKeyName.test(text)) return text;
  throw new ConfigError(
    'The name must be one line of at most 100 characters, and must not start with -.',
  );
}

function secondsOf(overlap: string | undefined): number {
  if (overlap === undefined) return defaultOverlap;
  if (/^\d{1,7}$/.test(overlap)) return Number(overlap);
  throw new ConfigError(`--overlap must be a number of seconds. Usage:\n${keysUsage}`);
}

function describeNewKey(key: string): string {
  return `API key, which cannot be shown again: ${key}`;
}
