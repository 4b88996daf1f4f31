import type { EndUserRecord } from '@inlay/protocol';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type * as z from 'zod';
import { type Agent, policyOf } from '../agents/agent.ts';
import { isoTime } from '../clock.ts';
import { readFilteredPage } from '../http/filtered-page.ts';
import { filterQuery, oneOf, textFilter, timeFilter } from '../http/filters.ts';
import { decodeCursor, encodeCursor, pageQuery } from '../http/paging.ts';
import { notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { isDeleted } from '../store/is-deleted.ts';
import type { Schema } from '../store/schema.ts';
import type { createBlockCheck } from './end-user-blocks.ts';

/** Name of the list in its cursors. */
const list = 'end_users';

/** Query of the list of the people of an agent. */
export const EndUserQuery = filterQuery({
  query: textFilter('Only people whose id begins with this.'),
  blocked: oneOf(['true', 'false']).optional(),
  seen_after: timeFilter('Only people who were seen later.'),
  ...pageQuery,
});

type EndUserRow = Selectable<Schema['end_users']>;
type ListServices = Pick<Services, 'store' | 'clock'> & {
  readonly findBlocked: ReturnType<typeof createBlockCheck>;
};

/** Lists the people who have written to an agent, the latest first. */
export async function listEndUsers(
  services: ListServices,
  agent: Agent,
  { query, blocked, seen_after: after, limit, page }: z.output<typeof EndUserQuery>,
) {
  const { rows, next } = await readFilteredPage<EndUserRow>(services.store.db, {
    table: 'end_users',
    sortedBy: { time: 'last_seen_at', id: 'external_user_id' },
    indexed: [
      sql<SqlBool>`agent_id = ${agent.id}`,
      ...(after === undefined ? [] : [sql<SqlBool>`last_seen_at > ${after}`]),
    ],
    filters: [
      ...(query === undefined
        ? []
        : [sql<SqlBool>`substr(external_user_id, 1, ${query.length}) = ${query}`]),
      ...(blocked === undefined ? [] : [isBlockedIs(agent, blocked === 'true')]),
    ],
    position: decodeCursor(list, page),
    limit,
  });
  const cursor = next && encodeCursor(list, next);
  return { data: await describe(services, agent, rows), next_cursor: cursor, next_page: cursor };
}

/** @throws ApiError `NOT_FOUND` for a user without messages. */
export async function readEndUser(
  services: ListServices,
  agent: Agent,
  externalUserId: string,
): Promise<EndUserRecord> {
  const row = await services.store.db
    .selectFrom('end_users')
    .selectAll()
    .where('agent_id', '=', agent.id)
    .where('external_user_id', '=', externalUserId)
    .executeTakeFirst();
  const [user] = row ? await describe(services, agent, [row]) : [];
  if (!user) throw notFound('No user with this id has written to the agent.');
  return user;
}

/** SQL condition; see `isBlocked`. */
function isBlockedIs(agent: Agent, expected: boolean) {
  const names = JSON.stringify(policyOf(agent).blocked_end_users);
  const flag = sql`(select blocked from end_user_blocks
    where end_user_blocks.agent_id = candidates.agent_id
    and end_user_blocks.external_user_id = candidates.external_user_id)`;
  // The policy has up to thousands of names, so it is one parameter. Ids contain no quotes.
  const without = sql`replace(${names}, '"' || candidates.external_user_id || '"', '')`;
  const byPolicy = sql`case when length(${without}) < ${names.length} then 1 else 0 end`;
  return sql<SqlBool>`coalesce(${flag}, ${byPolicy}) = ${expected ? 1 : 0}`;
}

/** Adds the conversations, the cost and the tokens of a page of people, with three queries. */
async function describe(
  { store, clock, findBlocked }: ListServices,
  agent: Agent,
  rows: readonly EndUserRow[],
): Promise<EndUserRecord[]> {
  const ids = rows.map((row) => row.external_user_id);
  if (ids.length === 0) return [];
  const [sessions, tokens, blocked] = await Promise.all([
    store.db
      .selectFrom('sessions')
      .select(({ fn }) => [
        'external_user_id',
        fn.countAll().as('count'),
        fn.sum('spent_microcents').as('spent'),
        fn.max('active_at').as('active_at'),
      ])
      .where('agent_id', '=', agent.id)
      .where('external_user_id', 'in', ids)
      .where(({ not }) => not(isDeleted))
      .groupBy('external_user_id')
      .execute(),
    store.db
      .selectFrom('issuances')
      .select(({ fn }) => ['external_user_id', fn.countAll().as('count')])
      .where('agent_id', '=', agent.id)
      .where('external_user_id', 'in', ids)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', clock.now())
      .groupBy('external_user_id')
      .execute(),
    findBlocked(
      store.db,
      ids.map((externalUserId) => ({ agent, externalUserId })),
    ),
  ]);
  const blockedIds = new Set([...blocked].map(({ externalUserId }) => externalUserId));
  return rows.map((row) => {
    const { external_user_id: id } = row;
    const stored = sessions.find((each) => each.external_user_id === id);
    const live = tokens.find((each) => each.external_user_id === id);
    return {
      type: 'end_user_record',
      agent_id: agent.id,
      external_user_id: id,
      anonymous: row.anonymous === 1,
      blocked: blockedIds.has(id),
      first_seen_at: isoTime(Number(row.first_seen_at)),
      last_seen_at: isoTime(Number(stored?.active_at ?? row.last_seen_at)),
      sessions: Number(stored?.count ?? 0),
      spent_cents: Number(stored?.spent ?? 0) / 1_000_000,
      live_tokens: Number(live?.count ?? 0),
    };
  });
}
