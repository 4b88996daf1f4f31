import type { BlockedEndUser } from '@inlay/protocol';
import { type Kysely, sql } from 'kysely';
import { type Agent, policyOf } from '../agents/agent.ts';
import { isoTimeOrNull } from '../clock.ts';
import type { Pseudonyms } from '../erasure/pseudonyms.ts';
import type { Position } from '../http/paging.ts';
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

/**
 * Returns the names of a user in the block list: the id, and the pseudonym under which a block stays when
 * the user is erased.
 */
function namesOf({ agent, externalUserId }: User, pseudonyms: Pseudonyms): [string, string] {
  return [externalUserId, pseudonyms.of({ agentId: agent.id, externalUserId })];
}

/** Whether a user is blocked; reads the rows of the user from the store. */
export async function loadIsBlocked(
  pseudonyms: Pseudonyms,
  db: Kysely<Schema>,
  agent: Agent,
  externalUserId: string,
): Promise<boolean> {
  const rows = await db
    .selectFrom('end_user_blocks')
    .select('blocked')
    .where('agent_id', '=', agent.id)
    .where('external_user_id', 'in', namesOf({ agent, externalUserId }, pseudonyms))
    .execute();
  return isBlocked(agent, externalUserId, flagOf(rows));
}

/** Joins the column `blocked` of the rows of a user; null without rows. */
function flagOf(rows: readonly { blocked: number }[]): number | null {
  return rows.length === 0 ? null : Math.max(...rows.map(({ blocked }) => blocked));
}

/** Returns a function that finds the blocked users in a list, with few queries. */
export function createBlockCheck(pseudonyms: Pseudonyms) {
  const findRows = prepareBySize(
    (size, db) =>
      db
        .selectFrom('end_user_blocks')
        .select(['agent_id', 'external_user_id', 'blocked'])
        .where(({ eb, or }) =>
          or(
            Array.from({ length: size }, () =>
              eb('agent_id', '=', '').and('external_user_id', 'in', ['', '']),
            ),
          ),
        ),
    (users: readonly User[]) =>
      users.flatMap((user) => [user.agent.id, ...namesOf(user, pseudonyms)]),
  );
  return async function findBlocked<T extends User>(
    transaction: Kysely<Schema>,
    users: readonly T[],
  ): Promise<ReadonlySet<T>> {
    const rows = await findRows(transaction, users);
    const isBlockedUser = (user: User) => {
      const names: string[] = rows.length === 0 ? [] : namesOf(user, pseudonyms);
      const found = rows.filter(
        (row) => row.agent_id === user.agent.id && names.includes(row.external_user_id),
      );
      return isBlocked(user.agent, user.externalUserId, flagOf(found));
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

/**
 * Lists the blocked end users of an agent: first those whom only the policy blocks, then those whom an
 * operation blocked, each by id.
 *
 * @param position End of the previous page. Its `at` is that of the last item (see `positionOf`).
 * @default `limit` Infinity
 */
export async function listBlocked(
  db: Kysely<Schema>,
  agent: Agent,
  position: Position | null = null,
  limit = Number.POSITIVE_INFINITY,
): Promise<BlockedUser[]> {
  const isInPolicy = position === null || position.at === positionOf({ blockedAt: null });
  const byPolicy = isInPolicy
    ? (await findOnlyInPolicy(db, agent))
        .filter((user) => position === null || user > position.id)
        .slice(0, limit)
    : [];
  const rows = await db
    .selectFrom('end_user_blocks')
    .select(['external_user_id', 'updated_at'])
    .where('agent_id', '=', agent.id)
    .where('blocked', '=', 1)
    .$if(!isInPolicy, (query) => query.where('external_user_id', '>', position?.id ?? ''))
    .$if(Number.isFinite(limit), (query) => query.limit(limit))
    .orderBy('external_user_id')
    .execute();
  return [
    ...byPolicy.map((externalUserId) => ({ externalUserId, blockedAt: null })),
    ...rows.map((row) => ({ externalUserId: row.external_user_id, blockedAt: row.updated_at })),
  ].slice(0, limit);
}

/** Returns the sort key of an entry in the pages of a blocklist, beside its id. */
export function positionOf({ blockedAt }: Pick<BlockedUser, 'blockedAt'>): number {
  return blockedAt === null ? 0 : 1;
}

/** Returns the users of an agent's policy who were neither blocked nor unblocked at run time, by id. */
async function findOnlyInPolicy(db: Kysely<Schema>, agent: Agent): Promise<string[]> {
  const users = [...new Set(policyOf(agent).blocked_end_users)].toSorted();
  const withRow = new Set<string>();
  // In batches, because a statement has a maximum number of parameters.
  for (let index = 0; index < users.length; index += 500) {
    const rows = await db
      .selectFrom('end_user_blocks')
      .select('external_user_id')
      .where('agent_id', '=', agent.id)
      .where('external_user_id', 'in', users.slice(index, index + 500))
      .execute();
    for (const row of rows) withRow.add(row.external_user_id);
  }
  return users.filter((user) => !withRow.has(user));
}

/** The first entries of a blocklist, and the number of all. */
export interface BlockedSummary {
  readonly first: readonly BlockedUser[];
  readonly count: number;
}

/**
 * Reads the first blocked end users of several agents, and the number of all, by agent id.
 *
 * @param maximum Maximum users of one agent.
 */
export async function summarizeBlocked(
  db: Kysely<Schema>,
  agents: readonly Agent[],
  maximum: number,
): Promise<ReadonlyMap<string, BlockedSummary>> {
  if (agents.length === 0) return new Map();
  const ids = agents.map(({ id }) => id);
  const numbered = db
    .selectFrom('end_user_blocks')
    .select(['agent_id', 'external_user_id', 'updated_at'])
    .select(
      sql<number>`row_number() over (partition by agent_id order by external_user_id)`.as('number'),
    )
    .select(sql<number>`count(*) over (partition by agent_id)`.as('count'))
    .where('agent_id', 'in', ids)
    .where('blocked', '=', 1);
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .selectAll()
    .where('number', '<=', maximum)
    .orderBy('number')
    .execute();
  const summaries = new Map<string, BlockedSummary>();
  for (const agent of agents) {
    const byPolicy = await findOnlyInPolicy(db, agent);
    const agentRows = rows.filter((row) => row.agent_id === agent.id);
    summaries.set(agent.id, {
      first: [
        ...byPolicy.map((externalUserId) => ({ externalUserId, blockedAt: null })),
        ...agentRows.map((row) => ({
          externalUserId: row.external_user_id,
          blockedAt: row.updated_at,
        })),
      ].slice(0, maximum),
      count: byPolicy.length + Number(agentRows[0]?.count ?? 0),
    });
  }
  return summaries;
}

/** Blocks or unblocks a user. An unblock also ends the block that an erasure has kept. */
export async function setBlocked(
  pseudonyms: Pseudonyms,
  db: Kysely<Schema>,
  user: { agent: Agent; externalUserId: string; blocked: boolean; now: number },
): Promise<void> {
  const { agent, externalUserId, blocked, now } = user;
  if (!blocked) {
    await db
      .deleteFrom('end_user_blocks')
      .where('agent_id', '=', agent.id)
      .where('external_user_id', '=', pseudonyms.of({ agentId: agent.id, externalUserId }))
      .execute();
  }
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

/** A blocked user as the admin API returns it. */
export function toBlockedEndUser({ externalUserId, blockedAt }: BlockedUser): BlockedEndUser {
  return {
    external_user_id: externalUserId,
    source: blockedAt === null ? 'configuration' : 'operation',
    blocked_at: isoTimeOrNull(blockedAt),
  };
}
