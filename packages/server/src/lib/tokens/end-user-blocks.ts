import type { Kysely } from 'kysely';
import { type Agent, policyOf } from '../agents/agent.ts';
import { prepareBySize } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';

interface User {
  agent: Agent;
  externalUserId: string;
}

/**
 * Whether a user is blocked. A block or unblock at run time takes precedence over the list in the
 * policy.
 *
 * @param flag Column `blocked` of the user's row in `end_user_blocks`; null without a row.
 */
export function isBlocked(agent: Agent, externalUserId: string, flag: number | null): boolean {
  return flag === null ? policyOf(agent).blocked_end_users.includes(externalUserId) : flag === 1;
}

/** Whether a user is blocked; reads the row of the user from the store. */
export async function loadIsBlocked(
  db: Kysely<Schema>,
  agent: Agent,
  externalUserId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('end_user_blocks')
    .select('blocked')
    .where('agent_id', '=', agent.id)
    .where('external_user_id', '=', externalUserId)
    .executeTakeFirst();
  return isBlocked(agent, externalUserId, row?.blocked ?? null);
}

/** Returns a function that finds the blocked users in a list, with few queries. */
export function createBlockCheck(db: Kysely<Schema>) {
  const findRows = prepareBySize(
    (size) =>
      db
        .selectFrom('end_user_blocks')
        .select(['agent_id', 'external_user_id', 'blocked'])
        .where(({ eb, or }) =>
          or(
            Array.from({ length: size }, () =>
              eb('agent_id', '=', '').and('external_user_id', '=', ''),
            ),
          ),
        ),
    (users: readonly User[]) => users.flatMap((user) => [user.agent.id, user.externalUserId]),
  );
  return async function findBlocked<T extends User>(
    transaction: Kysely<Schema>,
    users: readonly T[],
  ): Promise<ReadonlySet<T>> {
    const rows = await findRows(transaction, users);
    const isBlockedUser = ({ agent, externalUserId }: User) => {
      const row = rows.find(
        (candidate) =>
          candidate.agent_id === agent.id && candidate.external_user_id === externalUserId,
      );
      return isBlocked(agent, externalUserId, row?.blocked ?? null);
    };
    return new Set(users.filter(isBlockedUser));
  };
}

/** An entry of an agent's blocklist. */
export interface BlockedUser {
  externalUserId: string;
  /**
   * Time of the block operation, in milliseconds since the epoch; null for a user whom only the
   * policy blocks.
   */
  blockedAt: number | null;
}

/** Lists the blocked end users of several agents, by agent id. */
export async function listBlocked(
  db: Kysely<Schema>,
  agents: readonly Agent[],
): Promise<ReadonlyMap<string, readonly BlockedUser[]>> {
  if (agents.length === 0) return new Map();
  const rows = await db
    .selectFrom('end_user_blocks')
    .select(['agent_id', 'external_user_id', 'blocked', 'updated_at'])
    .where(
      'agent_id',
      'in',
      agents.map(({ id }) => id),
    )
    .orderBy('updated_at')
    .execute();
  return new Map(
    agents.map((agent) => {
      const agentRows = rows.filter((row) => row.agent_id === agent.id);
      const usersWithRow = new Set(agentRows.map((row) => row.external_user_id));
      const byPolicy = policyOf(agent).blocked_end_users.filter((user) => !usersWithRow.has(user));
      const byOperation = agentRows.filter((row) => row.blocked === 1);
      return [
        agent.id,
        [
          ...byPolicy.map((externalUserId) => ({ externalUserId, blockedAt: null })),
          ...byOperation.map((row) => ({
            externalUserId: row.external_user_id,
            blockedAt: row.updated_at,
          })),
        ],
      ];
    }),
  );
}

/** Blocks or unblocks a user. */
export async function setBlocked(
  db: Kysely<Schema>,
  user: { agent: Agent; externalUserId: string; blocked: boolean; now: number },
): Promise<void> {
  const { agent, externalUserId, blocked, now } = user;
  // Deletes the row instead of storing the unblock, which would take precedence if the user is
  // later added to the policy.
  if (!blocked && !policyOf(agent).blocked_end_users.includes(externalUserId)) {
    await db
      .deleteFrom('end_user_blocks')
      .where('agent_id', '=', agent.id)
      .where('external_user_id', '=', externalUserId)
      .execute();
    return;
  }
  const change = { blocked: blocked ? 1 : 0, updated_at: now };
  await db
    .insertInto('end_user_blocks')
    .values({ agent_id: agent.id, external_user_id: externalUserId, ...change })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'external_user_id']).doUpdateSet(change),
    )
    .execute();
}

/** Deletes all blocks and unblocks of an agent, so that its policy alone applies. */
export async function clearBlocks(db: Kysely<Schema>, agent: Agent): Promise<void> {
  await db.deleteFrom('end_user_blocks').where('agent_id', '=', agent.id).execute();
}

/**
 * Deletes the unblocks of users who are not in the policy, so that a user who is added to the
 * policy again is blocked. Called when the server starts, because the configuration file may have
 * changed.
 */
export async function deleteOldUnblocks(
  db: Kysely<Schema>,
  agents: readonly Agent[],
): Promise<void> {
  const unblocks = await db
    .selectFrom('end_user_blocks')
    .select(['agent_id', 'external_user_id'])
    .where('blocked', '=', 0)
    .execute();
  for (const { agent_id, external_user_id } of unblocks) {
    const agent = agents.find(({ id }) => id === agent_id);
    if (!agent || policyOf(agent).blocked_end_users.includes(external_user_id)) continue;
    await db
      .deleteFrom('end_user_blocks')
      .where('agent_id', '=', agent_id)
      .where('external_user_id', '=', external_user_id)
      .where('blocked', '=', 0)
      .execute();
  }
}
