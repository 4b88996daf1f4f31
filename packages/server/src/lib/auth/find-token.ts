import type { Transaction } from 'kysely';
import type { Services } from '../deps.ts';
import { hashSecret } from '../ports/random.ts';
import { ApiError } from '../problems/api-error.ts';
import { prepare } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';
import { isBlocked } from '../tokens/end-user-blocks.ts';
import type { EndUserCaller } from './caller.ts';

/** A token that stands, and where it may be used. */
export interface FoundToken {
  caller: EndUserCaller;
  allowedOrigins: readonly string[];
  /** Made by an exchange, and so used on the platform's own hosted page. */
  exchanged: boolean;
}

/**
 * Checks once more, inside the transaction that gives work to a model. A request that came in just
 * before its token was revoked is then either refused here, or among the runs that are interrupted:
 * whoever revokes waits for this transaction.
 */
export async function requireUnrevoked(
  transaction: Transaction<Schema>,
  { issuanceId }: EndUserCaller,
): Promise<void> {
  const row = await transaction
    .selectFrom('issuances')
    .select('revoked_at')
    .where('id', '=', issuanceId)
    .forShare()
    .executeTakeFirst();
  if (row?.revoked_at !== null) throw revoked();
}

const findRows = prepare((db) =>
  db
    .selectFrom('token_values')
    .innerJoin('issuances', 'issuances.id', 'token_values.issuance_id')
    .leftJoin('end_user_blocks', (join) =>
      join
        .onRef('end_user_blocks.agent_id', '=', 'issuances.agent_id')
        .onRef('end_user_blocks.external_user_id', '=', 'issuances.external_user_id'),
    )
    .selectAll('issuances')
    .select(['token_values.source', 'end_user_blocks.blocked'])
    .where('token_values.hash', '=', ''),
);

/**
 * Looks an embed token up, in the store at every request: no cache stands between a revocation and
 * its effect. Null for one that was never issued; a problem that says why for one that ended.
 */
export async function findToken(token: string, services: Services): Promise<FoundToken | null> {
  const [row] = await findRows(services.store.db, hashSecret(token));
  if (!row) return null;

  const agent = services.agents.find(row.agent_id);
  const keyIsGone =
    row.publishable_key !== null && !services.agents.findPublishableKey(row.publishable_key);
  if (row.revoked_at !== null || !agent || agent.archivedAt !== null || keyIsGone) {
    throw revoked();
  }
  if (isBlocked(agent, row.external_user_id, row.blocked)) {
    throw new ApiError('EMBED_USER_BLOCKED', 'The host blocked this end user.');
  }
  if (row.expires_at <= services.clock.now()) {
    throw new ApiError('EMBED_TOKEN_EXPIRED', 'This embed token has expired. Get a new one.');
  }
  return {
    allowedOrigins: JSON.parse(row.allowed_origins),
    exchanged: row.source === 'exchange',
    caller: {
      kind: 'end_user',
      issuanceId: row.id,
      agentId: row.agent_id,
      agentVersion: row.agent_version,
      externalUserId: row.external_user_id,
      anonymous: row.publishable_key !== null,
      publishableKey: row.publishable_key,
      systemMessage: row.system_message === null ? null : JSON.parse(row.system_message),
      overrideSystem: row.override_system,
      budgetCents: row.budget_cents,
      expiresAt: row.expires_at,
    },
  };
}

function revoked(): ApiError {
  return new ApiError('EMBED_TOKEN_REVOKED', 'This embed token was revoked.');
}
