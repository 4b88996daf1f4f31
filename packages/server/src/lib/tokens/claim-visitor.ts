import type { VisitorClaim, VisitorClaimRequest } from '@inlay/protocol';
import { type Kysely, sql, type Transaction } from 'kysely';
import { policyOf } from '../agents/agent.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { EndUserCaller } from '../auth/caller.ts';
import { requireValidToken } from '../auth/find-token.ts';
import { utcDay } from '../clock.ts';
import { moveConsents } from '../consents/consents.ts';
import { moveTexts } from '../events/search-index.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import { hashSecret } from '../random.ts';
import type { Services } from '../services.ts';
import { isOfUser } from '../store/is-of-user.ts';
import type { Schema } from '../store/schema.ts';
import { endUserLock } from '../store/store.ts';
import { loadIsBlocked } from './end-user-blocks.ts';
import { publishAccessRevoked, revokedTokens } from './end-users.ts';
import { markUserRevoked } from './issuances.ts';

type User = Pick<EndUserCaller, 'agentId' | 'externalUserId'>;

/**
 * Moves the conversations and files of a visitor to the signed-in user who presents the visitor's
 * secret, and ends the visitor: the secret is unknown from then on, and its tokens are revoked. The
 * same user may repeat the request, because the response may have been lost.
 *
 * @throws ApiError `EMBED_FEATURE_DISABLED`; `NOT_FOUND` if the secret is unknown, used or blocked.
 */
export async function claimVisitor(
  services: Services,
  caller: EndUserCaller,
  request: VisitorClaimRequest,
): Promise<VisitorClaim> {
  const { clock, store } = services;
  const { agentId, externalUserId } = caller;
  const owner = { agent_id: agentId, external_user_id: externalUserId };
  const agent = findAgent(services, agentId);
  if (caller.anonymous || !policyOf(agent).allow_visitor_claim) {
    throw new ApiError(
      'EMBED_FEATURE_DISABLED',
      caller.anonymous
        ? 'Only a signed-in user can take over the conversations of a visitor.'
        : 'The embed policy of this agent does not allow it: set `allow_visitor_claim`.',
    );
  }
  if (caller.sessionId !== null) {
    throw new ApiError('EMBED_FEATURE_DISABLED', 'This token opens only one conversation.');
  }
  const hash = hashSecret(request.visitor_secret);
  // From the claim on, the row names the user, and is not found by the secret.
  const claimedHash = `claimed:${hash}`;
  const findVisitor = async (db: Kysely<Schema>) => {
    const row = await db
      .selectFrom('visitors')
      .select(['secret_hash', 'external_user_id'])
      .where('secret_hash', 'in', [hash, claimedHash])
      .where('agent_id', '=', agentId)
      .executeTakeFirst();
    if (!row) throw unknownSecret();
    const user = { agentId, externalUserId: row.external_user_id };
    return { user, isClaimed: row.secret_hash === claimedHash };
  };
  const { user: visitor } = await findVisitor(store.db);
  const { sessions, revoked } = await store.transaction(async (transaction) => {
    await store.lock(transaction, endUserLock(caller), endUserLock(visitor));
    // Again, because the visitor may have been claimed, blocked or deleted meanwhile.
    const { user, isClaimed } = await findVisitor(transaction);
    if (isClaimed && user.externalUserId === externalUserId && !request.dry_run) {
      return { sessions: 0, revoked: null };
    }
    if (
      isClaimed ||
      (await loadIsBlocked(services.pseudonyms, transaction, agent, user.externalUserId))
    ) {
      throw unknownSecret();
    }
    const rows = await transaction
      .selectFrom('sessions')
      .select(['id', 'begun_at'])
      .where(isOfUser(visitor))
      .orderBy('id')
      .forUpdate()
      .execute();
    const sessions = rows.filter(({ begun_at }) => begun_at !== null).length;
    if (request.dry_run) return { sessions, revoked: null };
    const spent = await spentOn(transaction, visitor, utcDay(clock.now()));
    for (const { id } of rows) await moveTexts(transaction, id, owner);
    await moveRows(services, transaction, visitor, caller);
    await transaction
      .updateTable('visitors')
      .set({ secret_hash: claimedHash, external_user_id: externalUserId })
      .where('secret_hash', '=', hash)
      .execute();
    await requireValidToken(transaction, services, caller);
    const revoked = await markUserRevoked(transaction, { ...visitor, now: clock.now() });
    await services.webhooks.record(transaction, () => revokedTokens(visitor, revoked));
    await moveUsage(transaction, visitor, caller, spent);
    return { sessions, revoked };
  });
  if (revoked) await publishAccessRevoked(services, agent, visitor.externalUserId, revoked);
  return { type: 'visitor_claim', external_user_id: externalUserId, sessions };
}

/** Moves the rows that name the visitor. The sessions are locked. */
async function moveRows(
  { sessions }: Services,
  transaction: Transaction<Schema>,
  visitor: User,
  caller: EndUserCaller,
): Promise<void> {
  const moved = { external_user_id: caller.externalUserId };
  await transaction
    .updateTable('feedback')
    .set(moved)
    .where('session_id', 'in', ({ selectFrom }) =>
      selectFrom('sessions').select('id').where(isOfUser(visitor)),
    )
    .execute();
  // The stored responses are those of the visitor's requests, which end with the tokens.
  await transaction.deleteFrom('idempotency').where('scope', '=', userScope(visitor)).execute();
  const row = sessions.newRow(caller, {});
  const { issuance_id, publishable_key, token_metadata, budget_cents } = row;
  const { system_message, override_system } = row;
  await transaction
    .updateTable('sessions')
    // From now on, the settings and budgets of the user apply. The cost of a session stays.
    .set({ ...moved, issuance_id, publishable_key, token_metadata, source: null })
    .set({ system_message, override_system })
    .$if(budget_cents !== null, (query) =>
      query.set({
        budget_cents: sql`case when budget_cents < ${budget_cents} then budget_cents else ${budget_cents} end`,
      }),
    )
    .where(isOfUser(visitor))
    .execute();
  await sql`insert into usage_users
    select day, agent_id, agent_version, publishable_key, ${caller.externalUserId}
    from usage_users
    where agent_id = ${visitor.agentId} and external_user_id = ${visitor.externalUserId}
    on conflict do nothing`.execute(transaction);
  await sql`insert into end_users
    select agent_id, ${caller.externalUserId}, 0, first_seen_at, last_seen_at from end_users
    where agent_id = ${visitor.agentId} and external_user_id = ${visitor.externalUserId}
    on conflict do nothing`.execute(transaction);
  for (const table of ['usage_users', 'end_users'] as const) {
    await transaction.deleteFrom(table).where(isOfUser(visitor)).execute();
  }
  await moveConsents(transaction, visitor, caller);
  // The files stay files of the publishable key, whose quota they use until they are sent.
  await transaction.updateTable('files').set(moved).where(isOfUser(visitor)).execute();
}

/**
 * Returns a row of counters with the cost of the visitor's model calls on a UTC day, which is counted
 * with the publishable keys of the tokens.
 */
async function spentOn(transaction: Transaction<Schema>, visitor: User, day: string) {
  const { spent } = await transaction
    .selectFrom('publishable_key_shares')
    .select(({ fn }) => fn.sum('spent_microcents').as('spent'))
    .where('publishable_key', 'in', ({ selectFrom }) =>
      selectFrom('issuances').select('publishable_key').where(isOfUser(visitor)),
    )
    .where('day', '=', day)
    .where('subject', '=', `visitor:${visitor.externalUserId}`)
    .executeTakeFirstOrThrow();
  return {
    day,
    message_bytes: 0,
    file_bytes: 0,
    empty_sessions: 0,
    spent_microcents: Number(spent ?? 0),
  };
}

/**
 * Adds what the visitor has used to the daily counters of the user, so that a claim makes no quota
 * available again. The counters of the publishable key stay.
 */
async function moveUsage(
  transaction: Transaction<Schema>,
  visitor: User,
  user: User,
  spent: Awaited<ReturnType<typeof spentOn>>,
): Promise<void> {
  const counters = ['message_bytes', 'file_bytes', 'empty_sessions', 'spent_microcents'] as const;
  const days = await transaction
    .deleteFrom('end_user_days')
    .where(isOfUser(visitor))
    .returning(['day', ...counters])
    .execute();
  const key = { agent_id: user.agentId, external_user_id: user.externalUserId };
  for (const used of [...days, spent]) {
    await transaction
      .insertInto('end_user_days')
      .values({ ...key, ...used })
      .onConflict((conflict) =>
        conflict.columns(['agent_id', 'external_user_id', 'day']).doUpdateSet((eb) => ({
          message_bytes: eb('end_user_days.message_bytes', '+', used.message_bytes),
          file_bytes: eb('end_user_days.file_bytes', '+', used.file_bytes),
          empty_sessions: eb('end_user_days.empty_sessions', '+', used.empty_sessions),
          spent_microcents: eb('end_user_days.spent_microcents', '+', used.spent_microcents),
        })),
      )
      .execute();
  }
}

/** The same error for all secrets that cannot be claimed, so that it does not reveal why. */
function unknownSecret(): ApiError {
  return notFound('There is no visitor of this secret, or another user has claimed it.');
}
