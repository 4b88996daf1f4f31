import { sql } from 'kysely';
import type { Services } from '../services.ts';
import {
  type AmountColumn,
  amountColumns,
  answerBounds,
  answerColumns,
  firstTokenBounds,
  firstTokenColumns,
  percentile,
} from './amounts.ts';

/** The columns by which usage can be grouped. */
export const groupColumns = {
  day: 'day',
  agent: 'agent_id',
  version: 'agent_version',
  model: 'model',
  publishable_key: 'publishable_key',
} as const;
export type UsageGroup = keyof typeof groupColumns;

/** The groups and UTC days, `YYYY-MM-DD`, of a report. */
export interface UsageQuery {
  readonly groups: readonly UsageGroup[];
  readonly from: string;
  readonly to: string;
}

type Row = Record<string, string | number>;

/** Adds up usage by one or two columns, in their order. */
export async function readUsage(
  { store }: Pick<Services, 'store'>,
  { groups, from, to }: UsageQuery,
) {
  const columns = groups.map((group) => groupColumns[group]);
  const range = sql`day >= ${from} and day <= ${to}`;
  const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
  const sums = sql.join(
    amountColumns.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`),
  );
  const { rows } = await sql<Row>`
    select ${refs(columns)}, ${sums} from usage_days where ${range}
    group by ${refs(columns)} order by ${refs(columns)}`.execute(store.db);
  const people = groups.includes('model')
    ? null
    : await sql<Row>`
        select ${refs(columns)}, count(distinct agent_id || ' ' || external_user_id) as people
        from usage_users where ${range} group by ${refs(columns)}`.execute(store.db);
  const keyOf = (row: Row) => JSON.stringify(columns.map((column) => row[column]));
  const peopleByKey = new Map(people?.rows.map((row) => [keyOf(row), Number(row.people)]));
  return rows.map((row) => ({
    ...Object.fromEntries(
      groups.map((group) => [group, row[groupColumns[group]] || null] as const),
    ),
    ...describe((name) => Number(row[name])),
    end_users: people && (peopleByKey.get(keyOf(row)) ?? 0),
  }));
}

/** Converts sums to the amounts of the API. */
function describe(sum: (name: AmountColumn) => number) {
  const at = (columns: readonly AmountColumn[], bounds: readonly number[], share: number) =>
    percentile(columns.map(sum), bounds, share);
  return {
    sessions: sum('sessions'),
    user_messages: sum('user_messages'),
    answers: sum('answers'),
    answers_failed: sum('answers_failed'),
    interrupted: sum('interrupted'),
    refused_by_quota: sum('refused_by_quota'),
    ratings_up: sum('ratings_up'),
    ratings_down: sum('ratings_down'),
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    spent_cents: sum('spent_microcents') / 1_000_000,
    answer_ms_p50: at(answerColumns, answerBounds, 0.5),
    answer_ms_p95: at(answerColumns, answerBounds, 0.95),
    first_token_ms_p50: at(firstTokenColumns, firstTokenBounds, 0.5),
    first_token_ms_p95: at(firstTokenColumns, firstTokenBounds, 0.95),
  };
}
