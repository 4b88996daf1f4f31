import type { UsageReport, UsageRow } from '@inlay/protocol';
import { addressOf } from './address.ts';
import type { Api } from './api.ts';
import { formatCents, formatCount, formatLargeCount, formatMilliseconds } from './format.ts';

const dayMs = 86_400_000;

/** Periods of a report that end today, by their number of days. */
export const periods = { 1: 'Today', 7: '7 days', 30: '30 days', 90: '90 days', 365: 'A year' };

/** The columns by which usage can be grouped. */
export const groups = {
  day: 'Day',
  agent: 'Agent',
  version: 'Version',
  model: 'Model',
  publishable_key: 'Publishable key',
} as const;
export type Group = keyof typeof groups;

/** UTC days, `YYYY-MM-DD`, of which the last one is included. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** An amount of a row, and the list that it counts. */
export interface Amount {
  readonly name: string;
  readonly label: string;
  readonly read: (row: UsageRow) => number | null;
  readonly format: (value: number) => string;
  readonly list?: readonly [List, Readonly<Record<string, string>>];
}

type List = 'conversations' | 'feedback' | 'people';
type Count = 'sessions' | 'end_users' | 'user_messages' | 'answers' | 'answers_failed';
type OtherCount = 'interrupted' | 'refused_by_quota' | 'ratings_up' | 'ratings_down';

const count = (
  name: Count | OtherCount,
  label: string,
  list: List,
  filter: Readonly<Record<string, string>> = {},
): Amount => ({
  name,
  label,
  read: (row) => row[name],
  format: formatCount,
  list: [list, filter],
});

/** The amounts of a report, in the order of its columns. */
export const amounts: readonly Amount[] = [
  count('sessions', 'Conversations', 'conversations'),
  count('end_users', 'People', 'people'),
  count('user_messages', 'Messages', 'conversations'),
  count('answers', 'Answers', 'conversations', { outcome: 'answered' }),
  count('answers_failed', 'Failed', 'conversations', { outcome: 'failed' }),
  count('interrupted', 'Stopped', 'conversations', { outcome: 'interrupted' }),
  count('refused_by_quota', 'Refused', 'conversations', { outcome: 'budget' }),
  count('ratings_up', 'Good', 'feedback', { rating: 'up' }),
  count('ratings_down', 'Bad', 'feedback', { rating: 'down' }),
  {
    name: 'tokens',
    label: 'Tokens',
    read: (row) => row.input_tokens + row.output_tokens,
    format: formatLargeCount,
  },
  {
    name: 'answer_ms_p95',
    label: 'Answer, 95 %',
    read: (row) => row.answer_ms_p95,
    format: formatMilliseconds,
  },
  {
    name: 'spent_cents',
    label: 'Cost',
    read: (row) => row.spent_cents,
    format: formatCents,
    list: ['conversations', {}],
  },
];

/** Loads the report of a range; without `to`, it ends today. */
export function loadUsage(
  api: Api,
  range: { readonly from: string; readonly to?: string },
  by: readonly Group[],
  signal: AbortSignal,
): Promise<UsageReport> {
  return api.get<UsageReport>('usage', { ...range, group_by: by.join(',') }, signal);
}

/** First day of a period that ends today. */
export function firstDayOf(days: number): string {
  return toDay(Date.now() - (days - 1) * dayMs);
}

/** All days of a range. */
export function daysOf({ from, to }: Range): string[] {
  const length = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return Array.from({ length }, (_, index) => toDay(Date.parse(from) + index * dayMs));
}

/**
 * The address of the list that an amount of a row counts; null if the list has no filter for the groups of
 * the row.
 */
export function addressOfAmount({ list }: Amount, row: Partial<UsageRow>, range: Range) {
  if (!list || row.model !== undefined) return null;
  const [path, filter] = list;
  const scope = scopes[path](row, row.day ? { from: row.day, to: row.day } : range);
  return scope && addressOf(path, { ...filter, ...scope });
}

/** The filters of a list for the groups of a row; null if the list cannot be filtered so. */
const scopes: Readonly<
  Record<List, (row: Partial<UsageRow>, range: Range) => Record<string, string> | null>
> = {
  conversations({ agent, version, publishable_key: key }, { from, to }) {
    if (version !== undefined || key === null) return null;
    return {
      agent_id: agent ?? '',
      publishable_key: key ?? '',
      active_after: from,
      active_before: endOf(to),
    };
  },
  feedback({ agent, version, publishable_key: key }, { from, to }) {
    if (key !== undefined || (version && !agent)) return null;
    return { agent_id: agent ?? '', version: version ?? '', after: from, before: endOf(to) };
  },
  people({ agent, version, publishable_key: key }, { from, to }) {
    if (!agent || version !== undefined || key !== undefined || endOf(to)) return null;
    return { agent, seen_after: from };
  },
};

/** The day after the last one of a range; empty if the range ends today. */
function endOf(to: string): string {
  return to >= toDay(Date.now()) ? '' : toDay(Date.parse(to) + dayMs);
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
