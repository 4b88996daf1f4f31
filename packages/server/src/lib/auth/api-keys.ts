import { idPrefix } from '@inlay/protocol';
import type { Kysely } from 'kysely';
import { ConfigError } from '../config/parse-config.ts';
import { hashSecret, newSecret } from '../random.ts';
import type { ServiceOptions } from '../services.ts';
import { prepare } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';

/** Characters after the prefix of the key of the environment. Keys that the server makes have 43. */
const shortestSecret = 24;

type KeyDeps = Pick<ServiceOptions, 'store' | 'clock' | 'random'>;

/** An API key of the store, of which only the hash is kept. */
export interface ApiKey {
  /** Made from the hash; no part of the key. */
  id: string;
  name: string | null;
  createdAt: number;
  /** When it ends or ended: revoked, or replaced by another; null for one that goes on. */
  endsAt: number | null;
}

/** Which key it is, for counting and for naming it; no part of its value. */
export function apiKeyId(hash: string): string {
  return `key_${hash.slice(0, 12)}`;
}

const findEnd = prepare((db) => db.selectFrom('api_keys').select('ends_at').where('hash', '=', ''));

/** Whether a key of the store has this hash and goes on. Asked at every request, never kept. */
export async function isApiKey(
  { store, clock }: { store: Pick<ServiceOptions['store'], 'db'>; clock: ServiceOptions['clock'] },
  hash: string,
): Promise<boolean> {
  const [row] = await findEnd(store.db, hash);
  return row !== undefined && (row.ends_at === null || row.ends_at > clock.now());
}

/** Oldest first, ended ones as well. */
export async function listApiKeys(db: Kysely<Schema>): Promise<ApiKey[]> {
  const rows = await db.selectFrom('api_keys').selectAll().orderBy('created_at').execute();
  return rows.map((row) => ({
    id: apiKeyId(row.hash),
    name: row.name,
    createdAt: row.created_at,
    endsAt: row.ends_at,
  }));
}

/** Makes a key, and gives it out this once. */
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
 * Makes a key in place of another, which ends after `overlapSeconds`: backends change over meanwhile.
 * Throws where there is no such key, or it has ended.
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

/** Ends a key at once: the next request finds it gone, on every process. Throws as `rotateApiKey`. */
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
      `There is no API key ${id} in the store. \`inlay-server keys list\` shows those that there are; the one of INLAY_API_KEY is changed there.`,
    );
  }
  if (row.ends_at !== null && row.ends_at <= now) {
    throw new ConfigError(`The API key ${id} has ended already.`);
  }
  // An end that was set before is never put off.
  const endsAt = Math.min(now + seconds * 1000, row.ends_at ?? Number.POSITIVE_INFINITY);
  await db.updateTable('api_keys').set({ ends_at: endsAt }).where('hash', '=', row.hash).execute();
  return row;
}

/**
 * What opens the backend's side beside the keys of the store: the key of the environment. Where there
 * is neither, a key is made, and returned this once.
 */
export async function prepareApiKeys(
  deps: KeyDeps,
  fromEnvironment: string | undefined,
): Promise<{ hashes: string[]; newKey: string | null }> {
  if (fromEnvironment) {
    // The characters of a bearer credential (RFC 6750): with others, no request could present it.
    if (!new RegExp(`^${idPrefix.apiKey}[A-Za-z0-9._~+/-]+=*$`).test(fromEnvironment)) {
      throw new ConfigError(
        `INLAY_API_KEY must begin with \`${idPrefix.apiKey}\`, followed by a secret of letters, digits and - . _ ~ + /. Unset it to have one made.`,
      );
    }
    if (fromEnvironment.length < idPrefix.apiKey.length + shortestSecret) {
      throw new ConfigError(
        `INLAY_API_KEY is too short to be secret: \`${idPrefix.apiKey}\` must be followed by at least ${shortestSecret} characters. Unset it to have a key made, or make one with \`node -p "'${idPrefix.apiKey}' + require('crypto').randomBytes(32).toString('base64url')"\`.`,
      );
    }
    return { hashes: [hashSecret(fromEnvironment)], newKey: null };
  }
  const { store, clock } = deps;
  const newKey = await store.transaction(async (db) => {
    // Of several processes that start at once, one makes the key and the others take it.
    await store.lock(db, 'api_keys');
    const now = clock.now();
    const keys = await listApiKeys(db);
    if (keys.some(({ endsAt }) => endsAt === null || endsAt > now)) return null;
    return createApiKey(deps, null, db);
  });
  return { hashes: [], newKey };
}
