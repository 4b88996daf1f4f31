import { hourMs } from '../clock.ts';
import { hashSecret, newSecret } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { OperatorRow } from './operators.ts';

type SessionServices = Pick<ServiceOptions, 'store' | 'clock' | 'random'>;

/** Milliseconds after which a session ends. */
export const sessionLifetime = 12 * hourMs;
/** Milliseconds without a request after which a session ends. */
const idleLifetime = hourMs / 2;
/** Milliseconds between two writes of the time of the last request. */
const seenInterval = 60_000;

/** A signed-in operator. */
export type SignedIn = Pick<OperatorRow, 'id' | 'name' | 'role' | 'password_hash' | 'subject'>;

/**
 * Creates a session.
 *
 * @returns The value of its cookie. The store contains only the hash.
 */
export async function createSession(
  { store, clock, random }: SessionServices,
  { id }: Pick<OperatorRow, 'id'>,
): Promise<string> {
  const secret = newSecret(random, 'ops_');
  const now = clock.now();
  await store.db
    .insertInto('operator_sessions')
    .values({
      hash: hashSecret(secret),
      operator_id: id,
      seen_at: now,
      expires_at: now + sessionLifetime,
    })
    .execute();
  return secret;
}

/**
 * Finds the operator of a session. The store is queried at every request, so that a disabled operator
 * loses access immediately.
 *
 * @returns Null if the session has ended.
 */
export async function findSession(
  { store, clock }: Pick<SessionServices, 'store' | 'clock'>,
  secret: string,
): Promise<SignedIn | null> {
  const now = clock.now();
  const hash = hashSecret(secret);
  const row = await store.db
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
    .select(['operators.id', 'name', 'role', 'password_hash', 'subject', 'seen_at'])
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .where('seen_at', '>', now - idleLifetime)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  if (now - row.seen_at >= seenInterval) {
    await store.db
      .updateTable('operator_sessions')
      .set({ seen_at: now })
      .where('hash', '=', hash)
      .execute();
  }
  return row;
}

/** Ends a session. */
export async function endSession(
  { store }: Pick<SessionServices, 'store'>,
  secret: string,
): Promise<void> {
  await store.db.deleteFrom('operator_sessions').where('hash', '=', hashSecret(secret)).execute();
}

/**
 * The value that the console sends with each change. Other sites cannot read it, because it is derived
 * from the cookie.
 */
export function changeToken(secret: string): string {
  return hashSecret(`change:${secret}`);
}
