import { createHmac } from 'node:crypto';
import type { EndUserCaller } from '../auth/caller.ts';
import type { ServiceOptions } from '../service-options.ts';

type User = Pick<EndUserCaller, 'agentId' | 'externalUserId'>;

/** Start of a pseudonym. The rest is the HMAC. */
const prefix = 'erased:';

/** Names end users who were erased, in the block list and in the audit record, without their ids. */
export interface Pseudonyms {
  /** Secret of the store, with which erasures are exported. */
  readonly key: string;
  /** Returns the HMAC of a user of an agent. */
  hmacOf(user: User): string;
  /** Returns the `external_user_id` that takes the place of an erased user's id. */
  of(user: User): string;
}

/** Returns the pseudonym of a user with this HMAC. */
export function pseudonymOf({ hmac }: { hmac: string }): string {
  return prefix + hmac;
}

/** Creates pseudonyms with a key. */
export function pseudonymsWith(key: string): Pseudonyms {
  const hmacOf = ({ agentId, externalUserId }: User) =>
    createHmac('sha256', key).update(`${agentId} ${externalUserId}`).digest('base64url');
  return { key, hmacOf, of: (user) => pseudonymOf({ hmac: hmacOf(user) }) };
}

/** Loads the key of the store. The first process to start creates it. */
export async function loadPseudonyms({
  store: { db },
  random,
}: Pick<ServiceOptions, 'store' | 'random'>): Promise<Pseudonyms> {
  const key = Buffer.from(random.bytes(16)).toString('base64url');
  await db
    .insertInto('erasure_key')
    .values({ id: 1, key })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom('erasure_key').select('key').executeTakeFirstOrThrow();
  return pseudonymsWith(row.key);
}
