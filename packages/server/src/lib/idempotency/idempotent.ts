import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { type Clock, dayMs } from '../clock.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';
import { deleteSome } from '../retention/sweep-step.ts';
import { prepare } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Milliseconds for which a response is stored. */
const lifetime = dayMs;

/** Returns the scope of the idempotency keys of a user that do not belong to a session. */
export function userScope(user: { agentId: string; externalUserId: string }): string {
  return `user:${user.agentId}:${user.externalUserId}`;
}

/** Returns the name of a caller, in which the id of an API key contains no part of it. */
export function callerScope(caller: Caller): string {
  return caller.kind === 'backend' ? caller.keyId : userScope(caller);
}

/** Stores the response in the same transaction as the changes of the work. */
export type Remember<Result> = (transaction: Transaction<Schema>, result: Result) => Promise<void>;

const findStored = prepare((db) =>
  db
    .selectFrom('idempotency')
    .select(['request_hash', 'response'])
    .where('scope', '=', '')
    .where('key', '=', ''),
);

const storeOnce = prepare((db) =>
  db
    .insertInto('idempotency')
    .values({ scope: '', key: '', request_hash: '', response: '', created_at: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key'),
);

/** A response to the same request is stored. */
class AlreadyAnsweredError extends Error {
  override readonly name = 'AlreadyAnsweredError';
}

/**
 * Performs work once for each `Idempotency-Key`; a repetition returns the stored response. Without
 * a key, the work is always performed.
 *
 * @param request.scope The user or session that the key belongs to.
 * @param work Calls `remember` with its result, in a transaction with everything that it changes.
 * @throws ApiError `CONFLICT` if the key was used with another body.
 */
export async function idempotent<Result>(
  services: { store: Store; clock: Clock },
  request: { scope: string; key: string | undefined; body: unknown },
  work: (remember: Remember<Result>) => Promise<Result>,
): Promise<Result> {
  const { scope, body } = request;
  if (request.key === undefined) return work(async () => {});
  const key = checkKey(request.key);
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url');

  // Not searched first, because repetitions are rare: the work of one fails, and is rolled back.
  try {
    return await work(remember);
  } catch (error) {
    const stored = await findResponse();
    if (!stored) throw error;
    return stored;
  }

  async function findResponse(): Promise<Result | null> {
    const [row] = await findStored(services.store.db, scope, key);
    if (!row) return null;
    if (row.request_hash !== hash) {
      throw new ApiError(
        'CONFLICT',
        'This `Idempotency-Key` was used with another body. Send a new key with a new request.',
      );
    }
    // Written by `remember`.
    return JSON.parse(row.response) as Result;
  }

  async function remember(transaction: Transaction<Schema>, response: Result): Promise<void> {
    const json = JSON.stringify(response);
    const [row] = await storeOnce(transaction, scope, key, hash, json, services.clock.now());
    if (!row) throw new AlreadyAnsweredError();
  }
}

/** Deletes a batch of expired responses. Returns the number of deleted rows. */
export function deleteExpiredResponses(services: { store: Store; clock: Clock }): Promise<number> {
  const isExpired = sql`created_at < ${services.clock.now() - lifetime}`;
  return deleteSome(services.store.db, 'idempotency', ['scope', 'key'], isExpired);
}

function checkKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidField(
    '/headers/Idempotency-Key',
    'must have 1 to 255 visible ASCII characters, such as a UUID',
  );
}
