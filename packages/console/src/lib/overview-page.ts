import type { UsageReport, UsageRow } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html } from 'lit';
import { addressOf } from './address.ts';
import { loadAgents } from './agents.ts';
import { type Filter, viewOfFilters } from './filters.ts';
import { formatCents, formatCount, formatMilliseconds } from './format.ts';
import { viewOfTable } from './list-page.ts';
import { Page, viewOfTask } from './page.ts';
import { saveFile } from './save-file.ts';

const path = 'overview';
const dayMs = 86_400_000;

const ranges = { 1: 'Today', 7: '7 days', 30: '30 days', 90: '90 days', 365: 'A year' } as const;
const groups = {
  day: 'Day',
  agent: 'Agent',
  version: 'Version',
  model: 'Model',
  publishable_key: 'Publishable key',
} as const;
type Group = keyof typeof groups;

/** Values of parameters that the address does not have. */
const defaults = { days: '7', group_by: 'day' };

const filters: readonly Filter[] = [
  { name: 'days', label: 'Time', options: ranges, isRequired: true },
  { name: 'group_by', label: 'By', options: groups, isRequired: true },
];

interface Report {
  readonly from: string;
  readonly to: string;
  readonly group: Group;
  /** Names of the agents by their id. */
  readonly names: ReadonlyMap<string, string>;
  readonly totals: readonly UsageRow[];
  readonly rows: readonly UsageRow[];
}

/** The usage report: sums of a period, by day, agent, version, model or publishable key. */
export class OverviewPage extends Page {
  readonly heading = 'Overview';

  readonly #task = new Task(this, {
    args: () => [this.#value('days'), this.#value('group_by')],
    task: async ([days, group], { signal }): Promise<Report> => {
      const from = new Date(Date.now() - (Number(days) - 1) * dayMs).toISOString().slice(0, 10);
      const load = (by: string) =>
        this.api.get<UsageReport>('usage', { from, group_by: by }, signal);
      const [totals, rows, agents] = await Promise.all([
        load('agent'),
        load(String(group)),
        loadAgents(this.api, signal),
      ]);
      const names = new Map(agents.map(({ id, name }) => [id, name]));
      const range = { from, to: totals.to };
      return { ...range, names, group: group as Group, totals: totals.data, rows: rows.data };
    },
  });

  override render() {
    const query = new URLSearchParams({
      days: this.#value('days'),
      group_by: this.#value('group_by'),
    });
    return html`
      <header><h1>Overview</h1></header>
      ${viewOfFilters(path, filters, query)}
      ${viewOfTask(this.#task, (report) =>
        report.rows.length === 0
          ? html`<p class="empty">
              No messages in this period. <a href="conversations">All conversations</a>
            </p>`
          : html`${viewOfTotals(report)}${viewOfRows(report)}
              <p><button @click=${() => saveCsv(report)}>Download CSV</button></p>`,
      )}
    `;
  }

  #value(name: keyof typeof defaults): string {
    return this.address.query.get(name) ?? defaults[name];
  }
}

function sumOf(rows: readonly UsageRow[], name: keyof UsageRow): number {
  return rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0);
}

/** The totals, each with a link to the list that it counts. */
function viewOfTotals({ totals, from }: Report) {
  const since = { active_after: from };
  const count = (name: keyof UsageRow) => formatCount(sumOf(totals, name));
  const numbers: readonly (readonly [string, string, string])[] = [
    ['Conversations', count('sessions'), addressOf('conversations', since)],
    ['People', count('end_users'), 'people'],
    ['Answers', count('answers'), addressOf('conversations', { ...since, outcome: 'answered' })],
    [
      'Failed',
      count('answers_failed'),
      addressOf('conversations', { ...since, outcome: 'failed' }),
    ],
    ['Good ratings', count('ratings_up'), addressOf('feedback', { rating: 'up' })],
    ['Bad ratings', count('ratings_down'), addressOf('feedback', { rating: 'down' })],
    ['Cost', formatCents(sumOf(totals, 'spent_cents')), addressOf('conversations', since)],
  ];
  return html`<ul class="numbers">
    ${numbers.map(
      ([label, value, address]) =>
        html`<li><a href=${address}><strong>${value}</strong> ${label}</a></li>`,
    )}
  </ul>`;
}

function viewOfRows({ group, rows, names }: Report) {
  const most = Math.max(1, ...rows.map((row) => row.user_messages));
  const numbers = [
    'Conversations',
    'People',
    'Messages',
    'Answers',
    'Failed',
    'Good',
    'Bad',
    'Answer, 95 %',
    'Cost',
  ];
  return viewOfTable(
    [groups[group], ...numbers.map((number) => ({ number }))],
    rows.map(
      (row) => html`<tr>
          <td>
            ${viewOfName(group, row, names)}
            <span
              class="share"
              .style=${`inline-size: ${(100 * row.user_messages) / most}%`}
            ></span>
          </td>
          <td class="number" data-label="Conversations">${formatCount(row.sessions)}</td>
          <td class="number" data-label="People">
            ${row.end_users === null ? '–' : formatCount(row.end_users)}
          </td>
          <td class="number" data-label="Messages">${formatCount(row.user_messages)}</td>
          <td class="number" data-label="Answers">${formatCount(row.answers)}</td>
          <td class="number" data-label="Failed">${formatCount(row.answers_failed)}</td>
          <td class="number" data-label="Good">${formatCount(row.ratings_up)}</td>
          <td class="number" data-label="Bad">${formatCount(row.ratings_down)}</td>
          <td class="number" data-label="Answer, 95 %">${formatMilliseconds(row.answer_ms_p95)}</td>
          <td class="number" data-label="Cost">${formatCents(row.spent_cents)}</td>
        </tr>`,
    ),
    'report',
  );
}

/** The name of a row, with a link to its conversations where they have a filter. */
function viewOfName(group: Group, row: UsageRow, names: Report['names']) {
  const name = row[group];
  const missing = { model: 'No model call', publishable_key: 'Users of the host' };
  if (!name) return missing[group as keyof typeof missing] ?? '–';
  const query = conversationsOf(group, name);
  return query
    ? html`<a data-row href=${addressOf('conversations', query)}>${names.get(name) ?? name}</a>`
    : name;
}

/** The filter of the conversations of a row; null if there is none. */
function conversationsOf(group: Group, name: string): Record<string, string> | null {
  switch (group) {
    case 'day':
      return { active_after: name, active_before: nextDay(name) };
    case 'agent':
      return { agent_id: name };
    case 'publishable_key':
      return { publishable_key: name };
    default:
      return null;
  }
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
}

/** Saves the rows as CSV (RFC 4180). */
function saveCsv({ rows, group, from, to }: Report): void {
  const columns = [group, ...Object.keys(rows[0] ?? {}).filter((name) => name !== group)];
  const cell = (value: unknown) => {
    const text = String(value ?? '');
    // Spreadsheets would run a text with one of these first characters as a formula.
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name as keyof UsageRow]))];
  const csv = lines.map((line) => line.map(cell).join(',')).join('\r\n');
  saveFile(new Blob([csv], { type: 'text/csv' }), `usage-${from}-${to}.csv`);
}
