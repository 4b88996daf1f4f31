import { ExternalUserId, SessionOutcome, SessionStatus } from '@inlay/protocol';
import { expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import * as z from 'zod';
import { queryTerms } from '../events/search-terms.ts';
import { type FilteredPage, readFilteredPage } from '../http/filtered-page.ts';
import { filterQuery, oneOf, textFilter, timeFilter } from '../http/filters.ts';
import { decodeCursor, encodeCursor, pageQuery } from '../http/paging.ts';
import type { Services } from '../services.ts';
import { isDeleted } from '../store/is-deleted.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import { searchAllSessions } from './search-all-sessions.ts';

/** The text that conversations are searched for; empty for no search. */
export const searchText = z
  .string('must be sent once')
  .trim()
  .max(200, 'must have at most 200 characters')
  .default('');

/** Query of the list of all users' sessions. */
export const BackendSessionQuery = filterQuery({
  agent_id: textFilter('With an API key: id or short id of an agent.'),
  external_user_id: z.optional(ExternalUserId).describe('With an API key: id of the end user.'),
  publishable_key: textFilter('With an API key: only conversations of visitors with this key.'),
  active_after: timeFilter('With an API key: only conversations with a later last message.'),
  active_before: timeFilter('With an API key: only conversations with an earlier last message.'),
  status: oneOf(SessionStatus.options).optional().describe('With an API key.'),
  rating: oneOf(['up', 'down'])
    .optional()
    .describe('With an API key: only conversations with an answer that the user has rated so.'),
  outcome: oneOf(SessionOutcome.options)
    .optional()
    .describe('With an API key: how the last answer ended.'),
  metadata: z
    .record(z.string(), z.string('must be given once'), 'must be given as `metadata[key]=value`')
    .refine((metadata) => Object.keys(metadata).length <= 16, 'must have at most 16 keys')
    .default({})
    .describe('With an API key: only conversations whose `metadata` has all of these values.'),
  archived: oneOf(['true', 'false', 'any']).default('any'),
  query: searchText
    .refine(
      (text) => text === '' || queryTerms([text]).length > 0,
      'must contain a letter or a digit, because conversations are searched for words',
    )
    .describe(
      'With an API key: only conversations whose title or a message has words that start with all words of this text, ignoring case and punctuation.',
    ),
  ...pageQuery,
});

/** Values of a column that most sessions have, so that the index does not contain them. */
const frequentValues = { status: 'idle', outcome: 'answered' } as const;

/**
 * Lists the sessions of all users, by last activity, newest first. The filter that excludes most sessions
 * selects the index.
 *
 * @param signal Aborted when the client disconnects, which ends a search.
 */
export async function listSessions(
  services: Pick<Services, 'agents' | 'config' | 'store'>,
  query: z.output<typeof BackendSessionQuery>,
  signal: AbortSignal,
): Promise<{ rows: readonly SessionsTable[]; next: string | null }> {
  const { agents, store } = services;
  const agentId = query.agent_id && (agents.find(query.agent_id)?.id ?? query.agent_id);
  const { external_user_id: user, publishable_key: key, status, outcome, rating } = query;
  type Condition = RawBuilder<SqlBool>;
  const byAgent = agentId !== undefined && sql<SqlBool>`agent_id = ${agentId}`;
  const conditions: [condition: Condition | false, hasIndex: boolean][] = [
    [user !== undefined && sql`external_user_id = ${user}`, true],
    [rating !== undefined && sql`${sql.ref(`rated_${rating}`)} = 1`, true],
    [
      outcome !== undefined &&
        (outcome === frequentValues.outcome
          ? sql`outcome = ${outcome}`
          : // The literal condition of the index, which the databases use for no other one.
            sql`outcome = ${outcome} and outcome in ('failed', 'budget', 'interrupted')`),
      outcome !== frequentValues.outcome,
    ],
    [
      status !== undefined &&
        (status === frequentValues.status
          ? sql`status = ${status}`
          : sql`status = ${status} and status <> 'idle'`),
      status !== frequentValues.status,
    ],
    [query.archived === 'true' && sql`archived_at is not null`, true],
    [key !== undefined && sql`publishable_key = ${key} and publishable_key is not null`, true],
    [byAgent, true],
    [query.archived === 'false' && sql`archived_at is null`, false],
    ...Object.entries(query.metadata).map(([key, value]): [Condition, boolean] => [
      hasMember('metadata', key, value),
      false,
    ]),
  ];
  const given = conditions.flatMap(([condition, hasIndex]) =>
    condition ? [{ condition, hasIndex }] : [],
  );
  const selected = given.find(({ hasIndex }) => hasIndex)?.condition;
  // The index of a user's sessions starts with the agent.
  const indexed = user !== undefined && byAgent ? [selected, byAgent] : [selected];
  const page: FilteredPage = {
    table: 'sessions',
    sortedBy: { time: 'active_at', id: 'id' },
    indexed: [
      ...indexed.filter((each) => each !== undefined),
      ...(query.active_after === undefined
        ? []
        : [sql<SqlBool>`active_at > ${query.active_after}`]),
      ...(query.active_before === undefined
        ? []
        : [sql<SqlBool>`active_at < ${query.active_before}`]),
    ],
    visible: sql<SqlBool>`not ${isDeleted}`,
    filters: given.map(({ condition }) => condition).filter((each) => !indexed.includes(each)),
    position: decodeCursor('all_sessions', query.page),
    limit: query.limit,
  };
  const terms = queryTerms([query.query]);
  const { rows, next } =
    terms.length > 0
      ? await searchAllSessions(services, page, terms, signal)
      : await readFilteredPage<SessionsTable>(store.db, page);
  return { rows, next: next && encodeCursor('all_sessions', next) };
}

/**
 * SQL condition: a column with the JSON of `JSON.stringify` has this text as a member. Inside keys and
 * values, a quote follows a backslash, so that only a member begins with a brace or a comma and a quote.
 */
function hasMember(column: string, key: string, value: string): RawBuilder<SqlBool> {
  const member = JSON.stringify({ [key]: value }).slice(1, -1);
  const { fn } = expressionBuilder<Schema, 'sessions'>();
  const contains = (text: string) => sql`${fn('instr', [sql.ref(column), sql.val(text)])} > 0`;
  return sql`(${contains(`{${member}`)} or ${contains(`,${member}`)})`;
}
