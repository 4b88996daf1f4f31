import { idPrefix } from '@inlay/protocol';
import type { Kysely, Selectable } from 'kysely';
import { describeChange } from '../audit/audit.ts';
import type { CallLimits } from '../config/embed-policy.ts';
import { ConfigError } from '../config/parse-config.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import { hashSecret, newSecret } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import { prepare } from '../store/prepared.ts';
import type { ApiKeysTable, Schema } from '../store/schema.ts';

/** Milliseconds between two writes of `last_used_at`. */
const useInterval = 60_000;
/** Seconds for which a rotated key stays valid by default. */
export const defaultOverlap = 86_400;
/** One line of text. A leading `-` would be an option of the command. */
export const apiKeyName = /^[^\s-][^\n\r\0]{0,99}$/;
/** Minimum number of characters after the prefix of `INLAY_API_KEY`. Generated keys have 43. */
const minimumSecretLength = 24;

type KeyServices = Pick<ServiceOptions, 'store' | 'clock' | 'random'>;
type Transaction = Parameters<Parameters<ServiceOptions['store']['transaction']>[0]>[0];
type ApiKeyRow = Selectable<ApiKeysTable>;

/** An API key in the store. The store contains only the hash of the key. */
export interface ApiKey {
  /** Derived from the hash; contains no part of the key. */
  id: string;
  name: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Milliseconds since the epoch; null unless the key was revoked or replaced. */
  endsAt: number | null;
  /** Milliseconds since the epoch, up to a minute too early; null if the key was never used. */
  lastUsedAt: number | null;
  /** Limits of this key that differ from the configured ones. */
  limits: Partial<CallLimits>;
}

/** Derives the id of a key from its hash, for limits and logs. It contains no part of the key. */
export function apiKeyId(hash: string): string {
  return `key_${hash.slice(0, 12)}`;
}

const findKey = prepare((db) =>
  db
    .selectFrom('api_keys')
    .select(['name', 'ends_at', 'last_used_at', 'requests_per_second', 'concurrent'])
    .where('hash', '=', ''),
);

/**
 * Finds the valid key with this hash. The store is queried at every request, so that a revocation
 * takes effect immediately.
 *
 * @returns The name of the key, its limits that differ from the configured ones, and whether `markUsed` is
 *   due; null if no valid key has this hash.
 */
export async function findApiKey(
  { store, clock }: { store: Pick<ServiceOptions['store'], 'db'>; clock: ServiceOptions['clock'] },
  hash: string,
): Promise<(Pick<ApiKey, 'name' | 'limits'> & { isUseOutdated: boolean }) | null> {
  const [row] = await findKey(store.db, hash);
  if (!row || (row.ends_at !== null && row.ends_at <= clock.now())) return null;
  const { last_used_at: usedAt } = row;
  return {
    name: row.name,
    limits: limitsOf(row),
    isUseOutdated: usedAt === null || clock.now() - Number(usedAt) >= useInterval,
  };
}

/** Stores that a key is used. */
export async function markUsed(
  { store, clock }: Pick<KeyServices, 'store' | 'clock'>,
  hash: string,
): Promise<void> {
  const now = clock.now();
  await store.db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('hash', '=', hash)
    // Of several processes, one writes.
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', now - useInterval)]),
    )
    .execute();
}

function limitsOf(row: Pick<ApiKeysTable, keyof CallLimits>): Partial<CallLimits> {
  const { requests_per_second, concurrent } = row;
  return {
    ...(requests_per_second !== null && { requests_per_second }),
    ...(concurrent !== null && { concurrent }),
  };
}

/** Lists the API keys in the store, oldest first, including ended ones. */
export async function listApiKeys(db: Kysely<Schema>): Promise<ApiKey[]> {
  const rows = await db.selectFrom('api_keys').selectAll().orderBy('created_at').execute();
  return rows.map((row) => ({
    id: apiKeyId(row.hash),
    name: row.name,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    lastUsedAt: row.last_used_at,
    limits: limitsOf(row),
  }));
}

/** Creates a key in a transaction, and describes it in the audit record. */
export function createNamedApiKey(
  services: KeyServices,
  name: string | null,
): Promise<{ id: string; key: string }> {
  return services.store.transaction(async (db) => {
    const key = await createApiKey(services, name, {}, db);
    const id = apiKeyId(hashSecret(key));
    describeChange({ subject: `api_keys/${id}`, after: { id, name } });
    return { id, key };
  });
}

/** Creates a key. Only its hash is stored, so that the returned value cannot be read again. */
export async function createApiKey(
  { store, clock, random }: KeyServices,
  name: string | null,
  limits: Partial<CallLimits> = {},
  db: Kysely<Schema> = store.db,
): Promise<string> {
  const key = newSecret(random, idPrefix.apiKey);
  await db
    .insertInto('api_keys')
    .values({ hash: hashSecret(key), created_at: clock.now(), name, ...limits })
    .execute();
  return key;
}

/**
 * Replaces a key with a new one.
 *
 * @param overlapSeconds Seconds for which the old key still works, so that backends can be updated.
 * @returns The new key.
 * @throws ApiError `NOT_FOUND` if the key does not exist; `CONFLICT` if it has ended.
 */
export async function rotateApiKey(
  services: KeyServices,
  id: string,
  overlapSeconds: number,
): Promise<string> {
  describeChange({ after: { overlap_seconds: overlapSeconds } });
  return services.store.transaction(async (db) => {
    const old = await endApiKey(services, db, id, overlapSeconds);
    return createApiKey(services, old.name, limitsOf(old), db);
  });
}

/**
 * Revokes a key: from the next request on, no process accepts it.
 *
 * @throws ApiError `NOT_FOUND` if the key does not exist; `CONFLICT` if it has ended.
 */
export async function revokeApiKey(services: KeyServices, id: string): Promise<void> {
  await services.store.transaction((db) => endApiKey(services, db, id, 0));
}

/**
 * Sets the limits of a key, in every process from the next request on.
 *
 * @param limits Limits that are left out are reset to the configured ones.
 * @throws ApiError `NOT_FOUND` if the key does not exist; `CONFLICT` if it has ended.
 */
export async function limitApiKey(
  services: KeyServices,
  id: string,
  limits: Partial<CallLimits>,
): Promise<void> {
  await services.store.transaction(async (db) => {
    const { hash } = await findValidKey(services, db, id);
    await db
      .updateTable('api_keys')
      .set({
        requests_per_second: limits.requests_per_second ?? null,
        concurrent: limits.concurrent ?? null,
      })
      .where('hash', '=', hash)
      .execute();
  });
}

async function endApiKey(
  services: KeyServices,
  db: Transaction,
  id: string,
  seconds: number,
): Promise<ApiKeyRow> {
  const row = await findValidKey(services, db, id);
  // The end of a key is never postponed.
  const end = services.clock.now() + seconds * 1000;
  const ends_at = Math.min(end, row.ends_at ?? Number.POSITIVE_INFINITY);
  await db.updateTable('api_keys').set({ ends_at }).where('hash', '=', row.hash).execute();
  return row;
}

async function findValidKey(
  { store, clock }: KeyServices,
  db: Transaction,
  id: string,
): Promise<ApiKeyRow> {
  await store.lock(db, 'api_keys');
  const rows = await db.selectFrom('api_keys').selectAll().execute();
  const row = rows.find(({ hash }) => apiKeyId(hash) === id);
  if (!row) {
    throw notFound(
      `There is no API key ${id} in the store. \`inlay-server keys list\` lists them; the key of INLAY_API_KEY is changed in the environment.`,
    );
  }
  if (row.ends_at !== null && row.ends_at <= clock.now()) {
    throw new ApiError('CONFLICT', `The API key ${id} has ended already.`);
  }
  return row;
}

/**
 * Hashes the API key of the environment.
 *
 * @throws ConfigError if the key is malformed or too short.
 */
export function hashEnvironmentKey(key: string): string {
  // Only these characters are allowed in a bearer credential (RFC 6750).
  if (!new RegExp(`^${idPrefix.apiKey}[A-Za-z0-9._~+/-]+=*$`).test(key)) {
    throw new ConfigError(
      `INLAY_API_KEY must begin with \`${idPrefix.apiKey}\`, followed by a secret of letters, digits and - . _ ~ + /. Unset it to have one made.`,
    );
  }
  if (key.length < idPrefix.apiKey.length + minimumSecretLength) {
    throw new ConfigError(
      `INLAY_API_KEY is too short to be secret: \`${idPrefix.apiKey}\` must be followed by at least ${minimumSecretLength} characters. Unset it to have a key made, or make one with \`node -p "'${idPrefix.apiKey}' + require('crypto').randomBytes(32).toString('base64url')"\`.`,
    );
  }
  return hashSecret(key);
}

/**
 * Creates an API key if the store has no valid one.
 *
 * @returns The new key, which cannot be read again; null if there is a valid one.
 */
export async function createFirstApiKey(services: KeyServices): Promise<string | null> {
  const { store, clock } = services;
  return store.transaction(async (db) => {
    // If several processes start at the same time, one creates the key and the others use it.
    await store.lock(db, 'api_keys');
    const now = clock.now();
    const keys = await listApiKeys(db);
    if (keys.some(({ endsAt }) => endsAt === null || endsAt > now)) return null;
    return createApiKey(services, null, {}, db);
  });
}
