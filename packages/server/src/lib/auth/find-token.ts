import type { Transaction } from 'kysely';
import { ApiError } from '../problems/api-error.ts';
import { hashSecret } from '../random.ts';
import type { Services } from '../services.ts';
import { prepare } from '../store/prepared.ts';
import type { IssuancesTable, Schema } from '../store/schema.ts';
import { isBlocked } from '../tokens/end-user-blocks.ts';
import type { EndUserCaller } from './caller.ts';

/** A valid token, and the origins that may use it. */
export interface FoundToken {
  caller: EndUserCaller;
  allowedOrigins: readonly string[];
  /** Whether a code was exchanged for the token, which is then used on the platform's hosted page. */
  isExchanged: boolean;
}

const findTokenRows = prepare((db) =>
  db
    .selectFrom('token_values')
    .innerJoin('issuances', 'issuances.id', 'token_values.issuance_id')
    .leftJoin('end_user_blocks', (join) =>
      join
        .onRef('end_user_blocks.agent_id', '=', 'issuances.agent_id')
        .onRef('end_user_blocks.external_user_id', '=', 'issuances.external_user_id'),
    )
    .select([
      'issuances.id',
      'issuances.agent_id',
      'issuances.agent_version',
      'issuances.external_user_id',
      'issuances.publishable_key',
      'issuances.system_message',
      'issuances.override_system',
      'issuances.budget_cents',
      'issuances.metadata',
      'issuances.allowed_origins',
      'issuances.features',
      'issuances.session_id',
      'issuances.expires_at',
      'issuances.revoked_at',
      'token_values.source',
      'end_user_blocks.blocked',
    ])
    .where('token_values.hash', '=', ''),
);

/**
 * Finds an embed token. The store is queried at every request, so that a revocation takes effect
 * immediately.
 *
 * @returns Null for a token that was never issued.
 * @throws ApiError `EMBED_TOKEN_REVOKED`, `EMBED_TOKEN_EXPIRED` or `EMBED_USER_BLOCKED`.
 */
export async function findToken(token: string, services: Services): Promise<FoundToken | null> {
  const [row] = await findTokenRows(services.store.db, hashSecret(token));
  if (!row) return null;
  requireValidRow(row, services);
  return {
    allowedOrigins: JSON.parse(row.allowed_origins),
    isExchanged: row.source === 'exchange',
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
      features: JSON.parse(row.features),
      sessionId: row.session_id,
      tokenMetadata: row.metadata,
      expiresAt: row.expires_at,
    },
  };
}

/** A block that waits for this lock also revokes the token, so that its row need not be locked. */
const lockToken = prepare((db) =>
  db
    .selectFrom('issuances')
    .leftJoin('end_user_blocks', (join) =>
      join
        .onRef('end_user_blocks.agent_id', '=', 'issuances.agent_id')
        .onRef('end_user_blocks.external_user_id', '=', 'issuances.external_user_id'),
    )
    .select([
      'issuances.revoked_at',
      'issuances.expires_at',
      'issuances.agent_id',
      'issuances.external_user_id',
      'issuances.publishable_key',
      'end_user_blocks.blocked',
    ])
    .where('issuances.id', '=', '')
    .forShare('issuances'),
);

/**
 * Checks the token of a caller again, in the transaction that starts a run. Revocations and blocks
 * wait for the end of this transaction. A request that arrives just before its token ends is thus
 * either refused here, or starts a run that the revocation interrupts.
 *
 * @throws ApiError `EMBED_TOKEN_REVOKED`, `EMBED_TOKEN_EXPIRED` or `EMBED_USER_BLOCKED`.
 */
export async function requireValidToken(
  transaction: Transaction<Schema>,
  services: Pick<Services, 'agents' | 'clock'>,
  { issuanceId }: EndUserCaller,
): Promise<void> {
  const [row] = await lockToken(transaction, issuanceId);
  if (!row) throw revokedError();
  requireValidRow(row, services);
}

type TokenRow = Pick<
  IssuancesTable,
  'revoked_at' | 'expires_at' | 'agent_id' | 'external_user_id' | 'publishable_key'
> & { blocked: number | null };

/** Throws if a token is revoked, blocked or expired, or if its agent or publishable key has ended. */
function requireValidRow(
  row: TokenRow,
  { agents, clock }: Pick<Services, 'agents' | 'clock'>,
): void {
  const agent = agents.find(row.agent_id);
  const isKeyUnusable =
    row.publishable_key !== null && !agents.findPublishableKey(row.publishable_key);
  if (row.revoked_at !== null || !agent || agent.archivedAt !== null || isKeyUnusable) {
    throw revokedError();
  }
  if (isBlocked(agent, row.external_user_id, row.blocked)) {
    throw new ApiError('EMBED_USER_BLOCKED', 'The host blocked this end user.');
  }
  if (row.expires_at <= clock.now()) {
    throw new ApiError('EMBED_TOKEN_EXPIRED', 'This embed token has expired. Get a new one.');
  }
}

function revokedError(): ApiError {
  return new ApiError('EMBED_TOKEN_REVOKED', 'This embed token was revoked.');
}
