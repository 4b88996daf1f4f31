import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';
import { deleteSome } from '../retention/delete-old-rows.ts';
import type { Schema } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Milliseconds for which an answer is remembered. A client that was offline longer starts anew. */
const memory = 86_400_000;

/** Whose keys those are that go with no session yet. */
export function userScope(user: { agentId: string; externalUserId: string }): string {
  return `user:${user.agentId}:${user.externalUserId}`;
}

/** Writes the answer down, inside the transaction of what it answers for. */
export type Remember<Answer> = (transaction: Transaction<Schema>, answer: Answer) => Promise<void>;

/** The same request is answered by another handler at this moment, and that one was first. */
class AnsweredMeanwhileError extends Error {
  override readonly name = 'AnsweredMeanwhileError';
}

/**
 * Does `work` once for each `Idempotency-Key`: a repeat gets the first answer, and nothing is done.
 * The same key with another body is refused. `scope` says whose key it is. Without a key it simply
 * works.
 */
export async function idempotent<Answer>(
  deps: { store: Store; clock: Clock },
  request: { scope: string; key: string | undefined; body: unknown },
  work: (remember: Remember<Answer>) => Promise<Answer>,
): Promise<Answer> {
  const { scope, body } = request;
  if (request.key === undefined) return work(async () => {});
  const key = checkKey(request.key);
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url');

  const earlier = await find();
  if (earlier) return earlier;
  try {
    return await work(remember);
  } catch (error) {
    // A refusal, too, may be because the same request was answered meanwhile, by another handler.
    const first = await find();
    if (!first) throw error;
    return first;
  }

  async function find(): Promise<Answer | null> {
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
    // It was written by `remember`, so it is taken as it is.
    return JSON.parse(row.response) as Answer;
  }

  async function remember(transaction: Transaction<Schema>, answer: Answer): Promise<void> {
    const result = await transaction
      .insertInto('idempotency')
      .values({
        scope,
        key,
        request_hash: hash,
        response: JSON.stringify(answer),
        created_at: deps.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (result.numInsertedOrUpdatedRows === 0n) throw new AnsweredMeanwhileError();
  }
}

/** Forgets some of what is too old to be asked for again. Returns how many rows that were. */
export function forgetOldAnswers(deps: { store: Store; clock: Clock }): Promise<number> {
  const isOld = sql`created_at < ${deps.clock.now() - memory}`;
  return deleteSome(deps.store.db, 'idempotency', ['scope', 'key'], isOld);
}

function checkKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidField(
    '/headers/Idempotency-Key',
    'must have 1 to 255 visible ASCII characters; a UUID is a good one',
  );
}
