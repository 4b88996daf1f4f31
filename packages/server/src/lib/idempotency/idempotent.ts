import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';
import { deleteSome } from '../retention/sweep-step.ts';
import type { Schema } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Milliseconds for which a response is stored. */
const lifetime = 86_400_000;

/** Returns the scope of keys that do not belong to a session. */
export function userScope(user: { agentId: string; externalUserId: string }): string {
  return `user:${user.agentId}:${user.externalUserId}`;
}

/** Stores the response, in the transaction of the work. */
export type Remember<Result> = (transaction: Transaction<Schema>, result: Result) => Promise<void>;

/** Another handler stored a response to the same request first. */
class AlreadyAnsweredError extends Error {
  override readonly name = 'AlreadyAnsweredError';
}

/**
 * Performs work once for each `Idempotency-Key`; a repetition returns the stored response. Without
 * a key, the work is always performed.
 *
 * @param request `scope` is what the key belongs to: a user or a session.
 * @throws ApiError `CONFLICT` if the key was used with another body.
 */
export async function idempotent<Result>(
  deps: { store: Store; clock: Clock },
  request: { scope: string; key: string | undefined; body: unknown },
  work: (remember: Remember<Result>) => Promise<Result>,
): Promise<Result> {
  const { scope, body } = request;
  if (request.key === undefined) return work(async () => {});
  const key = checkKey(request.key);
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url');

  const earlier = await find();
  if (earlier) return earlier;
  try {
    return await work(remember);
  } catch (error) {
    // An error may also result from another handler having performed the same request first.
    const first = await find();
    if (!first) throw error;
    return first;
  }

  async function find(): Promise<Result | null> {
    const row = await deps.store.db
      .selectFrom('idempotency')
      .select(['request_hash', 'response'])
      .where('scope', '=', scope)
      .where('key', '=', key)
      .executeTakeFirst();
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
    const result = await transaction
      .insertInto('idempotency')
      .values({
        scope,
        key,
        request_hash: hash,
        response: JSON.stringify(response),
        created_at: deps.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (result.numInsertedOrUpdatedRows === 0n) throw new AlreadyAnsweredError();
  }
}

/** Deletes a batch of expired responses. Returns how many. */
export function deleteExpiredResponses(deps: { store: Store; clock: Clock }): Promise<number> {
  const isExpired = sql`created_at < ${deps.clock.now() - lifetime}`;
  return deleteSome(deps.store.db, 'idempotency', ['scope', 'key'], isExpired);
}

function checkKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidField(
    '/headers/Idempotency-Key',
    'must have 1 to 255 visible ASCII characters, such as a UUID',
  );
}
