import { idPrefix, limits } from '@inlay/protocol';
import { type Kysely, sql } from 'kysely';
import { isoTime } from '../clock.ts';
import { hashSecret, newSecret, type Random } from '../random.ts';
import { deleteSome } from '../retention/sweep-step.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import { loadIsBlocked } from './end-user-blocks.ts';

/** Creates the code of a hosted link, which can be used once, within 60 seconds. */
export async function createExchangeCode(
  db: Kysely<Schema>,
  { random, issuanceId, now }: { random: Random; issuanceId: string; now: number },
): Promise<string> {
  const code = newSecret(random, idPrefix.exchangeCode);
  await db
    .insertInto('exchange_codes')
    .values({
      hash: hashSecret(code),
      issuance_id: issuanceId,
      expires_at: now + limits.exchangeCodeSeconds * 1000,
    })
    .execute();
  return code;
}

/** Deletes a batch of expired codes. Returns the number of deleted codes. */
export function deleteExpiredCodes({ store, clock }: Services): Promise<number> {
  const isExpired = sql`expires_at <= ${clock.now()}`;
  return deleteSome(store.db, 'exchange_codes', ['hash'], isExpired);
}

/**
 * Exchanges a code for a second token of its issuance. One statement reads and deletes the code, so
 * that only one of several concurrent requests succeeds, also across processes.
 *
 * @returns The token; null if the code is invalid for any reason.
 */
export async function redeemExchangeCode(
  { store, agents, clock, metrics, pseudonyms, random }: Services,
  code: string,
): Promise<{ token: string; expiresAt: string } | null> {
  const token = newSecret(random, idPrefix.embedToken);
  const now = clock.now();
  const exchanged = await store.transaction(async (db) => {
    const redeemed = await db
      .deleteFrom('exchange_codes')
      .where('hash', '=', hashSecret(code))
      .where('expires_at', '>', now)
      .returning('issuance_id')
      .executeTakeFirst();
    if (!redeemed) return null;
    const issuance = await db
      .selectFrom('issuances')
      .select(['id', 'agent_id', 'external_user_id', 'expires_at'])
      .where('id', '=', redeemed.issuance_id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    const agent = issuance && agents.find(issuance.agent_id);
    if (!agent || agent.archivedAt !== null) return null;
    if (await loadIsBlocked(pseudonyms, db, agent, issuance.external_user_id)) return null;
    await db
      .insertInto('token_values')
      .values({ hash: hashSecret(token), issuance_id: issuance.id, source: 'exchange' })
      .execute();
    return { token, expiresAt: isoTime(issuance.expires_at) };
  });
  if (exchanged) metrics?.countToken('exchange');
  return exchanged;
}
