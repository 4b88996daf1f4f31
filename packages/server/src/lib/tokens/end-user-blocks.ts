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
 * @param row Column `blocked` of the user's row; null without a row.
 */
export function isBlocked(agent: Agent, externalUserId: string, row: number | null): boolean {
  return row === null ? policyOf(agent).blocked_end_users.includes(externalUserId) : row === 1;
}

/** Whether a user is blocked, by their current row in the store. */
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

/** Returns a function that finds the blocked ones among several users, with one query. */
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
   * Time of the block operation, in milliseconds since the epoch; null for a user who is only in
   * the policy.
   */
  blockedAt: number | null;
}

/** Lists the end users of several agents who are blocked now, by agent id. */
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
      const own = rows.filter((row) => row.agent_id === agent.id);
      const changed = new Set(own.map((row) => row.external_user_id));
      const listed = policyOf(agent).blocked_end_users.filter((user) => !changed.has(user));
      const blocked = own.filter((row) => row.blocked === 1);
      return [
        agent.id,
        [
          ...listed.map((externalUserId) => ({ externalUserId, blockedAt: null })),
          ...blocked.map((row) => ({
            externalUserId: row.external_user_id,
            blockedAt: row.updated_at,
          })),
        ],
      ];
    }),
  );
}

/** Blocks a user, or unblocks one. */
export async function setBlocked(
  db: Kysely<Schema>,
  user: { agent: Agent; externalUserId: string; blocked: boolean; now: number },
): Promise<void> {
  const { agent, externalUserId, blocked, now } = user;
  // The row is deleted, because an unblock in it would override an entry that is added to the
  // policy later.
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
 * Deletes the unblocks of users who are no longer in the policy, so that an entry that is added
 * again blocks the user. Called at the start, because the configuration changes between two starts.
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
