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

export async function setBlocked(
  db: Kysely<Schema>,
  user: { agentId: string; externalUserId: string; blocked: boolean; now: number },
): Promise<void> {
  const change = { blocked: user.blocked ? 1 : 0, updated_at: user.now };
  await db
    .insertInto('end_user_blocks')
    .values({ agent_id: user.agentId, external_user_id: user.externalUserId, ...change })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'external_user_id']).doUpdateSet(change),
    )
    .execute();
}
