import { idPrefix } from '@inlay/protocol';
import type { Kysely } from 'kysely';
import { ConfigError } from '../config/parse-config.ts';
import { hashSecret, newSecret } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import { prepare } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';

/** Minimum number of characters after the prefix of `INLAY_API_KEY`. Generated keys have 43. */
const minimumSecretLength = 24;

type KeyDeps = Pick<ServiceOptions, 'store' | 'clock' | 'random'>;

/** An API key in the store, which contains only its hash. */
export interface ApiKey {
  /** Derived from the hash; contains no part of the key. */
  id: string;
  name: string | null;
  createdAt: number;
  /** Milliseconds; null unless it was revoked or replaced. */
  endsAt: number | null;
}

/** Derives the id of a key from its hash, for limits and logs. It contains no part of the key. */
export function apiKeyId(hash: string): string {
  return `key_${hash.slice(0, 12)}`;
}

const findEnd = prepare((db) => db.selectFrom('api_keys').select('ends_at').where('hash', '=', ''));

/** Whether the store has a valid key with this hash. Queried at every request, never cached. */
export async function isApiKey(
  { store, clock }: { store: Pick<ServiceOptions['store'], 'db'>; clock: ServiceOptions['clock'] },
  hash: string,
): Promise<boolean> {
  const [row] = await findEnd(store.db, hash);
  return row !== undefined && (row.ends_at === null || row.ends_at > clock.now());
}

/** Lists the API keys of the store, oldest first, including ended ones. */
export async function listApiKeys(db: Kysely<Schema>): Promise<ApiKey[]> {
  const rows = await db.selectFrom('api_keys').selectAll().orderBy('created_at').execute();
  return rows.map((row) => ({
    id: apiKeyId(row.hash),
    name: row.name,
    createdAt: row.created_at,
    endsAt: row.ends_at,
  }));
}

/** Creates a key. Only its hash is stored, so that the returned value cannot be read again. */
export async function createApiKey(
  { store, clock, random }: KeyDeps,
  name: string | null,
  db: Kysely<Schema> = store.db,
): Promise<string> {
  const key = newSecret(random, idPrefix.apiKey);
  await db
    .insertInto('api_keys')
    .values({ hash: hashSecret(key), created_at: clock.now(), name })
    .execute();
  return key;
}

/**
 * Replaces a key by a new one.
 *
 * @param overlapSeconds How long the old key keeps working, so that backends can be updated.
 * @returns The new key.
 * @throws ConfigError if the key does not exist or has ended.
 */
export async function rotateApiKey(
  deps: KeyDeps,
  id: string,
  overlapSeconds: number,
): Promise<string> {
  return deps.store.transaction(async (db) => {
    const old = await endApiKey(deps, db, id, overlapSeconds);
    return createApiKey(deps, old.name, db);
  });
}

/**
 * Revokes a key: from the next request on, no process accepts it.
 *
 * @throws ConfigError if the key does not exist or has ended.
 */
export async function revokeApiKey(deps: KeyDeps, id: string): Promise<void> {
  await deps.store.transaction((db) => endApiKey(deps, db, id, 0));
}

async function endApiKey(
  { store, clock }: KeyDeps,
  db: Parameters<Parameters<ServiceOptions['store']['transaction']>[0]>[0],
  id: string,
  seconds: number,
): Promise<{ name: string | null }> {
  await store.lock(db, 'api_keys');
  const now = clock.now();
  const rows = await db.selectFrom('api_keys').selectAll().execute();
  const row = rows.find(({ hash }) => apiKeyId(hash) === id);
  if (!row) {
    throw new ConfigError(
      `There is no API key ${id} in the store. \`inlay-server keys list\` lists them; the key of INLAY_API_KEY is changed in the environment.`,
    );
  }
  if (row.ends_at !== null && row.ends_at <= now) {
    throw new ConfigError(`The API key ${id} has ended already.`);
  }
  // The end of a key is never postponed.
  const endsAt = Math.min(now + seconds * 1000, row.ends_at ?? Number.POSITIVE_INFINITY);
  await db.updateTable('api_keys').set({ ends_at: endsAt }).where('hash', '=', row.hash).execute();
  return row;
}

/**
 * Prepares the API keys when the server starts: hashes the key of the environment, or creates a key
 * if there is none there or in the store.
 *
 * @returns `hashes` of the keys that are not in the store; `newKey`, which cannot be read again.
 * @throws ConfigError if the key of the environment is malformed or too short.
 */
export async function prepareApiKeys(
  deps: KeyDeps,
  fromEnvironment: string | undefined,
): Promise<{ hashes: string[]; newKey: string | null }> {
  if (fromEnvironment) {
    // The characters of a bearer credential (RFC 6750): no request could present any others.
    if (!new RegExp(`^${idPrefix.apiKey}[A-Za-z0-9._~+/-]+=*$`).test(fromEnvironment)) {
      throw new ConfigError(
        `INLAY_API_KEY must begin with \`${idPrefix.apiKey}\`, followed by a secret of letters, digits and - . _ ~ + /. Unset it to have one made.`,
      );
    }
    if (fromEnvironment.length < idPrefix.apiKey.length + minimumSecretLength) {
      throw new ConfigError(
        `INLAY_API_KEY is too short to be secret: \`${idPrefix.apiKey}\` must be followed by at least ${minimumSecretLength} characters. Unset it to have a key made, or make one with \`node -p "'${idPrefix.apiKey}' + require('crypto').randomBytes(32).toString('base64url')"\`.`,
      );
    }
    return { hashes: [hashSecret(fromEnvironment)], newKey: null };
  }
  const { store, clock } = deps;
  const newKey = await store.transaction(async (db) => {
    // If several processes start at the same time, one creates the key and the others use it.
    await store.lock(db, 'api_keys');
    const now = clock.now();
    const keys = await listApiKeys(db);
    if (keys.some(({ endsAt }) => endsAt === null || endsAt > now)) return null;
    return createApiKey(deps, null, db);
  });
  return { hashes: [], newKey };
}
