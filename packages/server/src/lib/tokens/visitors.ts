import { idPrefix } from '@inlay/protocol';
import { hashSecret, newId, newSecret } from '../random.ts';
import type { Services } from '../services.ts';

/**
 * Finds a visitor by secret.
 *
 * @returns The visitor's `external_user_id`; null for an unknown or malformed secret.
 */
export async function findVisitor(
  { store }: Services,
  agentId: string,
  secret: unknown,
): Promise<string | null> {
  if (typeof secret !== 'string' || secret.length > 200) return null;
  const row = await store.db
    .selectFrom('visitors')
    .select('external_user_id')
    .where('secret_hash', '=', hashSecret(secret))
    .where('agent_id', '=', agentId)
    .executeTakeFirst();
  return row?.external_user_id ?? null;
}

/**
 * Creates a visitor. The secret of a visitor never changes, because the tabs of the browser share
 * it.
 */
export async function createVisitor(
  { store, clock, random }: Services,
  agentId: string,
  hasPassedChallenge: boolean,
): Promise<{ externalUserId: string; secret: string }> {
  const secret = newSecret(random, idPrefix.visitorSecret);
  const externalUserId = newId(random, idPrefix.anonymousUser);
  await store.db
    .insertInto('visitors')
    .values({
      secret_hash: hashSecret(secret),
      agent_id: agentId,
      external_user_id: externalUserId,
      created_at: clock.now(),
      challenge_passed_at: hasPassedChallenge ? clock.now() : null,
    })
    .execute();
  return { externalUserId, secret };
}

/** Stores that a visitor has passed the challenge. */
export async function recordPassedChallenge(
  { store, clock }: Services,
  agentId: string,
  externalUserId: string,
): Promise<void> {
  await store.db
    .updateTable('visitors')
    .set({ challenge_passed_at: clock.now() })
    .where('agent_id', '=', agentId)
    .where('external_user_id', '=', externalUserId)
    .execute();
}
