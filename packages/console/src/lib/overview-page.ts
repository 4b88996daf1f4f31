import type { UsageReport, UsageRow } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html } from 'lit';
import { type Filter, viewOfFilters } from './filters.ts';
import { viewOfTable } from './list-page.ts';
import { Page, viewOfTask } from './page.ts';
import {
  addressOfAmount,
  amounts,
  firstDayOf,
  loadUsage,
  periods,
  type Range,
} from './usage-report.ts';
import { viewOfAmount, viewOfName } from './usage-table.ts';

const path = 'overview';
const { 1: today, 7: week, 30: month } = periods;
const filters: readonly Filter[] = [
  { name: 'days', label: 'Time', options: { 1: today, 7: week, 30: month }, isRequired: true },
];

/** Amounts that can be added up over the agents. */
const totalled = [
  'sessions',
  'end_users',
  'answers',
  'answers_failed',
  'ratings_up',
  'ratings_down',
  'spent_cents',
];

interface Overview {
  readonly range: Range;
  readonly totals: readonly UsageRow[];
  readonly days: readonly UsageRow[];
}

/** The sums of the last days. */
export class OverviewPage extends Page {
  readonly heading = 'Overview';

  readonly #task = new Task(this, {
    args: () => [this.#days],
    task: async ([days], { signal }): Promise<Overview> => {
      const from = firstDayOf(Number(days));
      const load = (by: 'agent' | 'day'): Promise<UsageReport> =>
        loadUsage(this.api, { from }, [by], signal);
      const [totals, byDay] = await Promise.all([load('agent'), load('day')]);
      return { range: { from, to: totals.to }, totals: totals.data, days: byDay.data };
    },
  });

  override render() {
    return html`
      <header><h1>Overview</h1></header>
      ${viewOfFilters(path, filters, new URLSearchParams({ days: this.#days }))}
      ${viewOfTask(this.#task, (overview) =>
        overview.days.length === 0
          ? html`<p class="empty">
              No messages in this period.${' '}<a href="conversations">All conversations</a>
            </p>`
          : html`${viewOfTotals(overview)} ${viewOfDays(overview)}
              <p>
                <a href=${`usage?days=${this.#days}&group_by=agent`}
                  >Usage by agent, version, model or publishable key</a
                >
              </p>`,
      )}
    `;
  }

  get #days(): string {
    return this.address.query.get('days') ?? '7';
  }
}

/** The totals, each with a link to the list that it counts. */
function viewOfTotals({ totals, range }: Overview) {
  const shown = amounts.filter(({ name }) => totalled.includes(name));
  return html`<ul class="numbers">
    ${shown.map((amount) => {
      const sum = totals.reduce((total, row) => total + (amount.read(row) ?? 0), 0);
      // People are listed by agent.
      const address = addressOfAmount(amount, {}, range) ?? 'people';
      const label = amount.name.startsWith('ratings_') ? `${amount.label} ratings` : amount.label;
      return html`<li>
        <a href=${address}><strong>${amount.format(sum)}</strong> ${label}</a>
      </li>`;
    })}
  </ul>`;
}

function viewOfDays({ days, range }: Overview) {
  const most = Math.max(1, ...days.map((row) => row.user_messages));
  return viewOfTable(
    ['Day', ...amounts.map(({ label }) => ({ number: label }))],
    days.toReversed().map(
      (row) => html`<tr>
        <td>
          ${viewOfName(row.day ?? '', row, range)}
          <span
            class="share"
            .style=${`inline-size: ${(100 * row.user_messages) / most}%`}
          ></span>
        </td>
        ${amounts.map((amount) => viewOfAmount(amount, row, range))}
      </tr>`,
    ),
    'report',
  );
}
