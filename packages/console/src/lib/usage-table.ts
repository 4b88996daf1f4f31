import type { UsageRow } from '@inlay/protocol';
import { html } from 'lit';
import { addressOf } from './address.ts';
import { pageSize, type SortableColumn, viewOfPager, viewOfTable } from './list-page.ts';
import {
  type Amount,
  addressOfAmount,
  amounts,
  type Group,
  groups,
  type Range,
} from './usage-report.ts';

/** Path of the page with the table. */
const path = 'usage';
const collator = new Intl.Collator('en', { numeric: true });

/** A report, as the usage page shows it. */
export interface Report {
  readonly range: Range;
  readonly by: readonly Group[];
  /** Names of the agents by their id. */
  readonly names: ReadonlyMap<string, string>;
  readonly rows: readonly UsageRow[];
}

/** The name that a group has in a row. */
export function nameOf(row: UsageRow, group: Group, names: Report['names']): string {
  const value = row[group];
  if (value) return names.get(value) ?? value;
  return group === 'publishable_key' ? 'Users of the host' : 'No model call';
}

/** The name of a row, with a link to its conversations if these can be filtered so. */
export function viewOfName(name: string, row: UsageRow, range: Range) {
  const [conversations] = amounts;
  const address = conversations && addressOfAmount(conversations, row, range);
  return address ? html`<a data-row href=${address}>${name}</a>` : name;
}

/** The cell of an amount, with a link to the list that it counts. */
export function viewOfAmount(amount: Amount, row: UsageRow, range: Range) {
  const value = amount.read(row);
  const address = value ? addressOfAmount(amount, row, range) : null;
  const text = value === null ? '–' : amount.format(value);
  return html`<td class="number" data-label=${amount.label}>
    ${address ? html`<a href=${address}>${text}</a>` : text}
  </td>`;
}

/** How rows are sorted: by a group or an amount. */
interface Sorting {
  readonly name: string;
  readonly isAscending: boolean;
}

/** By default, the latest day is first, and otherwise the row with the most answers. */
function sortingOf(query: URLSearchParams, [first]: readonly Group[]): Sorting {
  const name = query.get('sort') || (first === 'day' ? first : 'answers');
  const order = query.get('order');
  return { name, isAscending: order ? order === 'ascending' : isFirstAscending(name) };
}

/** Names are first sorted from A to Z; numbers and days with the largest at the top. */
function isFirstAscending(name: string): boolean {
  return name in groups && name !== 'day';
}

/** Sorts rows as the address says. Rows without a value are last. */
export function sortRows({ rows, by, names }: Report, query: URLSearchParams): UsageRow[] {
  const { name, isAscending } = sortingOf(query, by);
  const direction = isAscending ? 1 : -1;
  const group = by.find((each) => each === name);
  const amount = amounts.find((each) => each.name === name);
  return rows.toSorted((left, right) => {
    if (group) {
      return direction * collator.compare(nameOf(left, group, names), nameOf(right, group, names));
    }
    const [a, b] = [amount?.read(left) ?? null, amount?.read(right) ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return direction * (a - b);
  });
}

/** Renders a page of the sorted rows. */
export function viewOfReport(report: Report, sorted: readonly UsageRow[], query: URLSearchParams) {
  const { by, names, range } = report;
  const sorting = sortingOf(query, by);
  const parameters = Object.fromEntries(query);
  const page = Math.max(1, Math.trunc(Number(query.get('page'))) || 1);
  const end = page * pageSize;
  const column = (name: string, heading: string, isNumber: boolean): SortableColumn => {
    const isSorted = name === sorting.name;
    const isAscending = isSorted ? !sorting.isAscending : isFirstAscending(name);
    const order = isAscending ? 'ascending' : 'descending';
    return {
      heading,
      isNumber,
      address: addressOf(path, { ...parameters, sort: name, order, page: '' }),
      ...(isSorted && { order: sorting.isAscending ? 'ascending' : 'descending' }),
    };
  };
  const columns = [
    ...by.map((group) => column(group, groups[group], false)),
    ...amounts.map(({ name, label }) => column(name, label, true)),
  ];
  const rows = sorted.slice(end - pageSize, end).map(
    (row) => html`<tr>
      ${by.map((group, index) => {
        const name = nameOf(row, group, names);
        return index === 0
          ? html`<td>${viewOfName(name, row, range)}</td>`
          : html`<td data-label=${groups[group]}>${name}</td>`;
      })}
      ${amounts.map((amount) => viewOfAmount(amount, row, range))}
    </tr>`,
  );
  return html`
    ${viewOfTable(columns, rows, 'report')}
    ${viewOfPager(path, parameters, end < sorted.length ? String(page + 1) : null, {
      first: 'First rows',
      next: 'Next rows',
    })}
  `;
}
