import { Task } from '@lit/task';
import { html } from 'lit';
import { loadAgentNames } from './agents.ts';
import { toCsv } from './csv.ts';
import { type Filter, viewOfFilters } from './filters.ts';
import { Page, viewOfTask } from './page.ts';
import { saveFile } from './save-file.ts';
import { chartOf } from './usage-chart.ts';
import { amounts, firstDayOf, type Group, groups, loadUsage, periods } from './usage-report.ts';
import { nameOf, type Report, sortRows, viewOfReport } from './usage-table.ts';

const path = 'usage';
/** Value of `days` for a range between two days of the address. */
const custom = 'custom';

const labels = Object.fromEntries(amounts.map(({ name, label }) => [name, label]));

/** The usage of a period, by one or two of day, agent, version, model and publishable key. */
export class UsagePage extends Page {
  readonly heading = 'Usage';

  /** Names of the agents by their id, once a report has needed them. */
  #names: ReadonlyMap<string, string> = new Map();

  readonly #task = new Task(this, {
    args: () => [this.#range.from, this.#range.to, ...this.#groups] as const,
    task: async ([from, to, ...by], { signal }): Promise<Report> => {
      const [report] = await Promise.all([
        loadUsage(this.api, { from, ...(to && { to }) }, by, signal),
        by.includes('agent') && this.#loadNames(signal),
        import('@inlay/elements/messages').then(({ defineChart }) => defineChart()),
      ]);
      const range = { from: report.from, to: report.to };
      return { range, by, names: this.#names, rows: report.data };
    },
  });

  override render() {
    return html`
      <header><h1>Usage</h1></header>
      ${viewOfFilters(path, this.#filters, this.#query)}
      ${viewOfTask(this.#task, (report) =>
        report.rows.length === 0
          ? html`<p class="empty">
              No messages in this period. Numbers appear here when a user writes to an agent.${' '}
              <a href="conversations">All conversations</a>
            </p>`
          : this.#viewOfReport(report),
      )}
    `;
  }

  #viewOfReport(report: Report) {
    const query = this.#query;
    const amount = amounts.find(({ name }) => name === query.get('chart'));
    const sorted = sortRows(report, query);
    return html`
      ${
        amount
          ? html`<inlay-chart class="chart" .hasTable=${false} .chart=${chartOf(report, amount)}></inlay-chart>`
          : ''
      }
      ${viewOfReport(report, sorted, this.address.query)}
      <p><button @click=${() => saveCsv({ ...report, rows: sorted })}>Download CSV</button></p>
    `;
  }

  async #loadNames(signal: AbortSignal): Promise<void> {
    if (this.#names.size === 0) this.#names = await loadAgentNames(this.api, signal);
  }

  /** The parameters of the address, with default values. */
  get #query(): URLSearchParams {
    const { query } = this.address;
    return new URLSearchParams({
      ...{ days: '30', group_by: 'day', chart: 'answers', from: firstDayOf(30), to: firstDayOf(1) },
      ...Object.fromEntries(query),
    });
  }

  /** Without `to`, the range ends today. */
  get #range(): { from: string; to: string } {
    const query = this.#query;
    const days = query.get('days');
    if (days === custom) return { from: query.get('from') ?? '', to: query.get('to') ?? '' };
    return { from: firstDayOf(days && days in periods ? Number(days) : 30), to: '' };
  }

  /** The groups of the address that exist, each once. */
  get #groups(): readonly Group[] {
    const query = this.#query;
    const given = [query.get('group_by'), query.get('then_by')].filter(
      (name): name is Group => name !== null && name in groups,
    );
    return given.length > 0 ? [...new Set(given)] : ['day'];
  }

  get #filters(): readonly Filter[] {
    const isCustom = this.#query.get('days') === custom;
    const [first] = this.#groups;
    const others = Object.entries(groups).filter(([name]) => name !== first);
    const names = Object.fromEntries(this.#groups.map((name) => [name, groups[name]]));
    return [
      {
        name: 'days',
        label: 'Time',
        options: { ...periods, [custom]: 'From – to' },
        isRequired: true,
      },
      ...(isCustom
        ? ([
            { name: 'from', label: 'From (UTC)', type: 'date' },
            { name: 'to', label: 'To (UTC)', type: 'date' },
          ] as const)
        : []),
      { name: 'group_by', label: 'Group by', options: groups, isRequired: true },
      {
        name: 'then_by',
        label: 'Then by',
        options: Object.fromEntries(others),
        empty: 'Nothing else',
      },
      { name: 'chart', label: 'Chart', options: labels, isRequired: true },
      { name: 'sort', label: 'Sort by', options: { ...names, ...labels }, empty: 'Default' },
    ];
  }
}

/** Saves the rows with all their amounts. */
function saveCsv({ rows, by, names, range }: Report): void {
  const hasAgent = by.includes('agent');
  const named = hasAgent
    ? rows.map((row) => ({ ...row, agent_name: nameOf(row, 'agent', names) }))
    : rows;
  const first = [...by, ...(hasAgent ? ['agent_name'] : [])];
  const columns = new Set([...first, ...Object.keys(rows[0] ?? {})]);
  saveFile(
    new Blob([toCsv([...columns], named)], { type: 'text/csv' }),
    `usage-${range.from}-${range.to}.csv`,
  );
}
