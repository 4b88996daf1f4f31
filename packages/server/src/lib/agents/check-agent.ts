import type { FieldError } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import { ZodError } from 'zod';
import { sessionDaysFault, sessionDaysPath } from '../config/session-days.ts';
import { unpricedModels } from '../config/unpriced-models.ts';
import { invalid, toFieldError } from '../http/validate.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import { type Agent, agentIdOf } from './agent.ts';
import type { Overrides } from './merge-overrides.ts';

/** Runs a change, and converts a ZodError to a 400 with a pointer for each field. */
export async function withFieldErrors<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    throw invalid(error.issues.map((issue) => toFieldError(issue)));
  }
}

/**
 * Checks the rules for functions, publishable keys, secrets, prices and retention. `requireFreeKeys`
 * compares the keys with those of other agents.
 *
 * @throws ApiError `VALIDATION_ERROR` with an entry for each invalid field.
 */
export function checkAgent(services: Services, changes: Overrides, after: Agent): void {
  const errors = [
    ...unknownFunctionErrors(changes, after),
    ...duplicateKeyErrors(after),
    ...undeclaredModelKeyErrors(services, after),
    ...missingPriceErrors(services, after),
    ...retentionErrors(services, changes, after),
  ];
  if (errors.length > 0) throw invalid(errors);
}

/**
 * Returns errors for function tools that the configuration file does not declare. Only the file can
 * contain functions.
 */
function unknownFunctionErrors({ tools }: Overrides, after: Agent): FieldError[] {
  if (!Array.isArray(tools)) return [];
  const known = new Set(after.tools.map(({ name }) => name));
  return tools.flatMap((tool: { name?: unknown }, index) =>
    known.has(String(tool.name))
      ? []
      : [
          {
            pointer: `/tools/${index}/name`,
            message: 'is no function tool of the configuration file; declare it there first',
          },
        ],
  );
}

function duplicateKeyErrors({ publishable_keys: keys }: Agent): FieldError[] {
  return keys.flatMap(({ key }, index) =>
    keys.findIndex((other) => other.key === key) === index ? [] : [takenKeyError(index)],
  );
}

/**
 * Checks that no other agent has one of the declared publishable keys. It reads the store, because
 * this process may not have loaded the latest changes yet. Call it first in the transaction that
 * stores the agent: it takes a lock, so that no other process can declare the same key before the
 * commit.
 *
 * @throws ApiError `VALIDATION_ERROR` with an entry for each key that is taken.
 */
export async function requireFreeKeys(
  { store, config }: Pick<Services, 'store' | 'config'>,
  transaction: Transaction<Schema>,
  changes: Overrides,
  after: Agent,
): Promise<void> {
  if (changes.publishable_keys === undefined || after.publishable_keys.length === 0) return;
  await store.lock(transaction, 'declared_publishable_keys');
  const changed = await transaction
    .selectFrom('agents')
    .select(['id', 'overrides', 'created_at'])
    .where(({ eb, fn, val }) =>
      eb(fn<number>('instr', ['overrides', val('"publishable_keys"')]), '>', 0),
    )
    .execute();
  const createdKeys = await transaction
    .selectFrom('publishable_keys')
    .select('key')
    .where('agent_id', '!=', after.id)
    .where('settings', 'is not', null)
    .execute();

  const keysById = new Map<string, readonly { key: string }[]>(
    config.agents.map((agent) => [agentIdOf(agent), agent.publishable_keys]),
  );
  for (const { id, overrides, created_at } of changed) {
    const { publishable_keys: keys } = JSON.parse(overrides) as Overrides;
    // The store keeps the changes of an agent that was removed from the configuration file.
    if (Array.isArray(keys) && (keysById.has(id) || created_at !== null)) keysById.set(id, keys);
  }
  keysById.delete(after.id);
  const taken = new Set([...keysById.values(), createdKeys].flat().map(({ key }) => key));
  const errors = after.publishable_keys.flatMap(({ key }, index) =>
    taken.has(key) ? [takenKeyError(index)] : [],
  );
  if (errors.length > 0) throw invalid(errors);
}

function takenKeyError(index: number): FieldError {
  return { pointer: `/publishable_keys/${index}/key`, message: 'is taken already' };
}

/** Returns errors for models that need a price in the configuration file but have none. */
function missingPriceErrors({ config }: Services, after: Agent): FieldError[] {
  const bounded = { ...after, publishable_keys: after.keys };
  return unpricedModels(bounded, config.prices).map(({ path, message }) => ({
    pointer: `/${path.join('/')}`,
    message,
  }));
}

/** Returns the error of a period that is longer than the platform's. */
function retentionErrors(
  { config }: Services,
  { retention }: Overrides,
  after: Agent,
): FieldError[] {
  const message = retention === undefined ? null : sessionDaysFault(after, config);
  return message === null ? [] : [{ pointer: `/${sessionDaysPath.join('/')}`, message }];
}

/**
 * Returns errors for models that would send a secret of the environment to an address for which the
 * configuration file does not use that secret. Without this check, anyone with an API key could
 * send every environment variable of this process to a server of their choice.
 */
function undeclaredModelKeyErrors({ config }: Services, after: Agent): FieldError[] {
  const pair = (target: { base_url: string; api_key_env?: string | undefined }) =>
    `${target.api_key_env} ${target.base_url}`;
  const known = new Set(
    config.agents.flatMap((agent) =>
      modelsOf(agent).flatMap(({ model }) => ('base_url' in model ? [pair(model)] : [])),
    ),
  );
  return modelsOf(after).flatMap(({ pointer, model }) =>
    !('base_url' in model) || model.api_key_env === undefined || known.has(pair(model))
      ? []
      : [
          {
            pointer: `${pointer}/api_key_env`,
            message:
              'is not used with this base_url in the configuration file; name the two together there first',
          },
        ],
  );
}

function modelsOf({ model, modes }: Pick<Agent, 'model' | 'modes'>) {
  return [
    { pointer: '/model', model },
    ...modes.flatMap((mode, index) =>
      mode.model ? [{ pointer: `/modes/${index}/model`, model: mode.model }] : [],
    ),
  ];
}
