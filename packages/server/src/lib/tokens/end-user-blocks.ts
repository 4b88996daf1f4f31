import type { Kysely } from 'kysely';
import { type Agent, policyOf } from '../agents/agent.ts';
import { prepareBySize } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';

/** A block or unblock at run time stands over the list in the policy. `row` is its column, or null. */
export function isBlocked(agent: Agent, externalUserId: string, row: number | null): boolean {
  return row === null ? policyOf(agent).blocked_end_users.includes(externalUserId) : row === 1;
}

export async function isBlockedNow(
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

/**
 * Makes the look at which of some users are blocked now. One that is blocked by the policy and was
 * unblocked at run time is not.
 */
export function createBlockCheck(db: Kysely<Schema>) {
  const queries = prepareBySize((size) =>
    db
      .selectFrom('end_user_blocks')
      .select(['external_user_id', 'blocked'])
      .where('agent_id', '=', '')
      .where('external_user_id', 'in', Array<string>(size).fill('')),
  );
  return async function findBlocked<User extends { agent: Agent; externalUserId: string }>(
    transaction: Kysely<Schema>,
    users: readonly User[],
  ): Promise<ReadonlySet<User>> {
    const blocked = new Set<User>();
    for (const agent of new Set(users.map((user) => user.agent))) {
      const group = users.filter((user) => user.agent === agent);
      const ids = group.map(({ externalUserId }) => externalUserId);
      const { rows } = await queries.of(ids.length)(transaction, [agent.id, ...ids]);
      for (const user of group) {
        const row = rows.find((one) => one.external_user_id === user.externalUserId);
        if (isBlocked(agent, user.externalUserId, row?.blocked ?? null)) blocked.add(user);
      }
    }
    return blocked;
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
