import { sql } from 'kysely';
import { hourMs } from '../clock.ts';
import { ApiError } from '../problems/api-error.ts';
import { hashesMatch, hashSecret } from '../random.ts';
import type { Services } from '../services.ts';
import { findOperator, findOrCreateFirst, firstOperator, type OperatorRow } from './operators.ts';
import { isPassword } from './passwords.ts';

/** Maximum attempts an hour, per name and source address. */
const maximumAttempts = 10;
/** Environment variable with a password of the first operator. */
export const adminSecretName = 'INLAY_ADMIN_SECRET';

/**
 * Signs an operator in with a name and a password.
 *
 * @param source Address of the client.
 * @throws ApiError `RATE_LIMITED` after ten failed attempts in an hour; `AUTHENTICATION_ERROR`, which
 *   does not say whether the name exists.
 */
export async function signIn(
  services: Services,
  { name, password }: { name: string; password: string },
  source: string,
): Promise<OperatorRow> {
  const key = await countAttempt(services, 'session', name, source);
  const operator = await findByPassword(services, name, password);
  if (!operator || operator.disabled_at !== null) {
    throw new ApiError('AUTHENTICATION_ERROR', 'The name or the password is wrong.');
  }
  await services.store.db.deleteFrom('sign_in_attempts').where('key', '=', key).execute();
  return operator;
}

async function findByPassword(
  services: Services,
  name: string,
  password: string,
): Promise<OperatorRow | undefined> {
  const { store } = services;
  const secret = services.secret(adminSecretName);
  const isAdminSecret = secret && hashesMatch(hashSecret(secret), hashSecret(password));
  if (isAdminSecret && name.trim().toLowerCase() === firstOperator) {
    return store.transaction(async (transaction) => {
      await store.lock(transaction, 'operators');
      return findOrCreateFirst(services, transaction);
    });
  }
  const operator = await findOperator(store.db, name);
  return (await isPassword(password, operator?.password_hash ?? null)) ? operator : undefined;
}

/** Whether the environment has a password of this operator. */
export function isAdminSecretOf({ secret }: Pick<Services, 'secret'>, name: string): boolean {
  return name === firstOperator && Boolean(secret(adminSecretName));
}

/**
 * Counts an attempt before the password is checked, so that concurrent ones are counted, too.
 *
 * @param purpose Attempts for different purposes are counted separately.
 * @returns The key of the counter.
 * @throws ApiError `RATE_LIMITED` for more than ten attempts in an hour.
 */
export async function countAttempt(
  { store, clock }: Services,
  purpose: 'session' | 'password',
  name: string,
  source: string,
): Promise<string> {
  const key = hashSecret(JSON.stringify([purpose, name.trim().toLowerCase(), source]));
  const now = clock.now();
  const isOver = sql`sign_in_attempts.since <= ${now - hourMs}`;
  const { count, since } = await store.db
    .insertInto('sign_in_attempts')
    .values({ key, count: 1, since: now })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when ${isOver} then 1 else sign_in_attempts.count + 1 end`,
        since: sql`case when ${isOver} then ${now} else sign_in_attempts.since end`,
      }),
    )
    .returning(['count', 'since'])
    .executeTakeFirstOrThrow();
  if (count <= maximumAttempts) return key;
  throw new ApiError('RATE_LIMITED', 'Too many attempts to sign in. Try again in an hour.', {
    retryAfter: Math.ceil((since + hourMs - now) / 1000),
    scope: 'platform',
  });
}
