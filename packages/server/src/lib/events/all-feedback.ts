import type { FeedbackRecord, LogEvent } from '@inlay/protocol';
import { textOf } from '@inlay/protocol';
import { withoutCitationMarks } from '@inlay/protocol/citation-marks';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type * as z from 'zod';
import { readFilteredPage } from '../http/filtered-page.ts';
import { filterQuery, oneOf, textFilter, timeFilter } from '../http/filters.ts';
import { decodeCursor, encodeCursor, pageQuery } from '../http/paging.ts';
import type { Services } from '../services.ts';
import { toSessionRecord } from '../sessions/session-object.ts';
import { isDeleted } from '../store/is-deleted.ts';
import type { Schema } from '../store/schema.ts';
import { parseStored } from './event-log.ts';
import { toFeedback } from './feedback.ts';
import { isFoundType } from './log-queries.ts';

/** Maximum characters of the texts in the list. */
const textLength = 500;

/** Query of the list of the feedback of all users. */
export const FeedbackQuery = filterQuery({
  agent_id: textFilter('Id or short id of an agent.'),
  version: textFilter('Version of the agent. Needs `agent_id`.'),
  rating: oneOf(['up', 'down']).optional(),
  after: timeFilter('Only later feedback.'),
  before: timeFilter('Only earlier feedback.'),
  ...pageQuery,
}).refine(({ agent_id, version }) => version === undefined || agent_id !== undefined, {
  path: ['version'],
  error: 'needs `agent_id`, whose versions it names',
});

type FeedbackRow = Selectable<Schema['feedback']>;

/** Lists the feedback of all users with the rated messages, newest first. */
export async function listAllFeedback(
  services: Pick<Services, 'agents' | 'store'>,
  query: z.output<typeof FeedbackQuery>,
) {
  const { agents, store } = services;
  const agentId = query.agent_id && (agents.find(query.agent_id)?.id ?? query.agent_id);
  const { version, rating, after, before } = query;
  const { rows, next } = await readFilteredPage<FeedbackRow>(store.db, {
    table: 'feedback',
    sortedBy: { time: 'created_at', id: 'event_id' },
    indexed: [
      ...(rating === undefined ? [] : [sql<SqlBool>`rating = ${rating}`]),
      ...(after === undefined ? [] : [sql<SqlBool>`created_at > ${after}`]),
      ...(before === undefined ? [] : [sql<SqlBool>`created_at < ${before}`]),
    ],
    visible: sql`exists (select 1 from sessions where sessions.id = session_id and not ${isDeleted})`,
    filters:
      agentId === undefined
        ? []
        : [
            sql`exists (select 1 from sessions where sessions.id = session_id
              and agent_id = ${agentId}
              ${version === undefined ? sql`` : sql`and agent_version = ${version}`})`,
          ],
    position: decodeCursor('feedback', query.page),
    limit: query.limit,
  });
  const cursor = next && encodeCursor('feedback', next);
  const data = rows.length === 0 ? [] : await addMessages(services, rows);
  return { data, next_cursor: cursor, next_page: cursor };
}

/** Adds the rated messages, the questions and the sessions to rows of feedback. */
async function addMessages(
  { agents, store }: Pick<Services, 'agents' | 'store'>,
  rows: readonly FeedbackRow[],
): Promise<FeedbackRecord[]> {
  const sessionIds = [...new Set(rows.map((row) => row.session_id))];
  const sessions = await store.db
    .selectFrom('sessions')
    .selectAll()
    .where('id', 'in', sessionIds)
    .execute();
  const sessionById = new Map(sessions.map((session) => [session.id, session]));
  const messages = await readMessages(store.db, rows);
  return rows.flatMap((row) => {
    const session = sessionById.get(row.session_id);
    const message = messages.get(row.event_id);
    // Deleted since the first query.
    if (!session || !message) return [];
    return [
      {
        ...toFeedback(row),
        ...message,
        session: toSessionRecord(session, agents.find(session.agent_id)),
      },
    ];
  });
}

/** Reads the texts of the rated messages and of the questions that they answer, by event id. */
async function readMessages(
  db: Services['store']['db'],
  rows: readonly FeedbackRow[],
): Promise<Map<string, Pick<FeedbackRecord, 'text' | 'question'>>> {
  // A message that was sent during the answer is between the question and the answer.
  const start = sql`coalesce((select seq from events as starts
    where starts.session_id = rated.session_id and starts.seq < rated.seq
      and starts.type = 'span.model_request_start' order by starts.seq desc limit 1), rated.seq)`;
  const found = await sql<{ id: string; json: string; question: string | null }>`
    select rated.id, rated.json, (select asked.json from events as asked
        where asked.session_id = rated.session_id and asked.seq < ${start}
          and asked.type = 'user.message' order by asked.seq desc limit 1) as question
    from feedback
    join events as rated on rated.session_id = feedback.session_id and rated.id = feedback.event_id
    where feedback.session_id in (${sql.join(rows.map((row) => row.session_id))})
      and feedback.event_id in (${sql.join(rows.map((row) => row.event_id))})
      and ${isFoundType('rated.type')}`.execute(db);
  return new Map(
    found.rows.map(({ id, json, question }) => [
      id,
      { text: startOf(json), question: question === null ? null : startOf(question) },
    ]),
  );
}

function startOf(json: string): string {
  const { content } = parseStored(json) as LogEvent<'agent.message' | 'user.message'>;
  // Without a high surrogate whose low surrogate was cut off.
  return withoutCitationMarks(textOf(content))
    .slice(0, textLength)
    .replace(/[\ud800-\udbff]$/, '');
}
