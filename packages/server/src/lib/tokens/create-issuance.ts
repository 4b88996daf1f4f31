import { idPrefix } from '@inlay/protocol';
import type { Agent } from '../agents/agent.ts';
import type { Services } from '../deps.ts';
import { isoTime } from '../ports/clock.ts';
import { hashSecret, newId, newSecret } from '../ports/random.ts';
import { ApiError } from '../problems/api-error.ts';
import { isBlockedNow } from './end-user-blocks.ts';
import { createExchangeCode } from './exchange-codes.ts';

/** What a token is to be, after every rule was checked. */
export interface Grant {
  agent: Agent;
  version: string;
  externalUserId: string;
  /** The key by which a visitor comes; null for a user of the host. */
  publishableKey: string | null;
  ttlSeconds: number;
  systemMessage: readonly object[] | null;
  overrideSystem: string | null;
  budgetCents: number | null;
  allowedOrigins: readonly string[];
  metadata: Record<string, string>;
  /** Whether to make a code for a hosted link as well. */
  hosted: boolean;
}

/** Writes the record and its token's hash in one step, and gives the secrets out this once. */
export async function createIssuance(
  { store, clock, random }: Services,
  grant: Grant,
): Promise<{ id: string; token: string; expiresAt: string; exchangeCode: string | null }> {
  const id = newId(random, idPrefix.issuance);
  const token = newSecret(random, idPrefix.embedToken);
  const now = clock.now();
  const expiresAt = now + grant.ttlSeconds * 1000;

  const exchangeCode = await store.db.transaction().execute(async (db) => {
    // In the same transaction, so that no token slips out beside a block.
    if (await isBlockedNow(db, grant.agent, grant.externalUserId)) {
      throw new ApiError(
        'EMBED_USER_BLOCKED',
        'This end user is blocked for this agent. Unblock the user first.',
      );
    }
    await db
      .insertInto('issuances')
      .values({
        id,
        agent_id: grant.agent.id,
        agent_version: grant.version,
        external_user_id: grant.externalUserId,
        publishable_key: grant.publishableKey,
        system_message: grant.systemMessage && JSON.stringify(grant.systemMessage),
        override_system: grant.overrideSystem,
        budget_cents: grant.budgetCents,
        allowed_origins: JSON.stringify(grant.allowedOrigins),
        metadata: JSON.stringify(grant.metadata),
        created_at: now,
        expires_at: expiresAt,
        revoked_at: null,
      })
      .execute();
    await db
      .insertInto('token_values')
      .values({ hash: hashSecret(token), issuance_id: id, source: 'issue' })
      .execute();
    return grant.hosted ? createExchangeCode(db, { random, issuanceId: id, now }) : null;
  });
  return { id, token, expiresAt: isoTime(expiresAt), exchangeCode };
}
