import { Task } from '@lit/task';
import { html, nothing, type TemplateResult } from 'lit';
import { addressOf } from './address.ts';
import { type Filter, isFiltered, viewOfFilters } from './filters.ts';
import { Page, viewOfTask } from './page.ts';

/** Rows per page of a list. */
export const pageSize = 50;

/** A page of a list, as the API returns it. */
export interface ListResult<Item> {
  readonly data: readonly Item[];
  readonly next_page: string | null;
}

/** A page that shows a list. Its filters are in the address, so that it can be bookmarked and shared. */
export abstract class ListPage<Item> extends Page {
  /** Path of this page. */
  protected abstract readonly path: string;
  /** Path of the list in the API. */
  protected abstract readonly source: string;
  /** Shown if the list is empty without a filter; says how to get the first row. */
  protected abstract readonly emptyText: unknown;
  /** Plural of the items, for messages. */
  protected abstract readonly items: string;
  protected abstract readonly filters: readonly Filter[];

  protected readonly list = new Task(this, {
    args: () => [this.address.query.toString()],
    task: ([query], { signal }) =>
      this.load(Object.fromEntries(new URLSearchParams(query)), signal),
  });

  override render() {
    const { path, filters, query } = this;
    return html`
      ${this.viewOfHeader()}
      ${viewOfFilters(path, filters, query)}
      ${viewOfTask(this.list, ({ data, next_page }) =>
        data.length === 0 && next_page === null
          ? this.#viewOfEmpty()
          : html`
              ${this.viewOfItems(data)}
              ${
                data.length === 0
                  ? html`<p class="pending">No matches so far. “Older” continues the search.</p>`
                  : nothing
              }
              ${viewOfPager(path, Object.fromEntries(query), next_page)}
            `,
      )}
    `;
  }

  protected viewOfHeader(): TemplateResult {
    return html`<header><h1>${this.heading}</h1></header>`;
  }

  /** The parameters of the address, with default values. */
  protected get query(): URLSearchParams {
    return this.address.query;
  }

  /** Loads a page. Days of filters become the times of their start, which the API compares. */
  protected load(
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<ListResult<Item>> {
    const days = new Set(
      this.filters.flatMap((filter) =>
        'type' in filter && filter.type === 'date' ? [filter.name] : [],
      ),
    );
    const times = Object.entries(query).map(([name, value]) => [
      name,
      value && days.has(name) ? `${value}T00:00:00Z` : value,
    ]);
    return this.api.get(this.source, { ...Object.fromEntries(times), limit: pageSize }, signal);
  }

  protected abstract viewOfItems(items: readonly Item[]): TemplateResult;

  #viewOfEmpty() {
    const { filters, items, query } = this;
    const words = query.get('query');
    const others = filters.filter(({ name }) => name !== 'query');
    const criteria = [
      ...(words ? [`“${words}”`] : []),
      ...(isFiltered(others, query) ? ['these filters'] : []),
    ];
    return html`<p class="empty">
      ${criteria.length > 0 ? `No ${items} match ${criteria.join(' and ')}.` : this.emptyText}
    </p>`;
  }
}

/** A column of a table: its heading, and whether it contains numbers. */
export type Column = string | { readonly number: string } | SortableColumn;

/** A column whose heading is a link that sorts the rows by it. */
export interface SortableColumn {
  readonly heading: string;
  readonly isNumber: boolean;
  /** Address of the page with the rows sorted by this column. */
  readonly address: string;
  /** Present if the rows are sorted by this column. */
  readonly order?: 'ascending' | 'descending';
}

export function viewOfTable(columns: readonly Column[], rows: readonly unknown[], name = '') {
  return html`
    <table class="list ${name}">
      <thead>
        <tr>
          ${columns.map(viewOfHeading)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  `;
}

function viewOfHeading(column: Column) {
  if (typeof column === 'string') return html`<th>${column}</th>`;
  if ('number' in column) return html`<th class="number">${column.number}</th>`;
  const { heading, isNumber, address, order } = column;
  return html`<th class=${isNumber ? 'number' : ''} aria-sort=${order ?? nothing}>
    <a href=${address}>${heading}</a>
  </th>`;
}

/**
 * Renders links to the next page of a list, and to the first one.
 *
 * @param nextPage Value of the parameter `page` for the next page; null on the last one.
 */
export function viewOfPager(
  path: string,
  query: Readonly<Record<string, string>>,
  nextPage: string | null,
  labels = { first: 'Newest', next: 'Older' },
) {
  if (nextPage === null && !query.page) return nothing;
  return html`
    <nav class="pager" aria-label="Pages">
      ${
        query.page
          ? html`<a href=${addressOf(path, { ...query, page: '' })}>${labels.first}</a>`
          : nothing
      }
      ${
        nextPage === null
          ? nothing
          : html`<a href=${addressOf(path, { ...query, page: nextPage })}>${labels.next}</a>`
      }
    </nav>
  `;
}
