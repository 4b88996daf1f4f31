import { html, nothing } from 'lit';
import { addressOf, navigate } from './address.ts';

/** A filter of a list: a text, a day, or one of several values with their labels. */
export type Filter =
  | { readonly name: string; readonly label: string; readonly type: 'search' | 'date' }
  | {
      readonly name: string;
      readonly label: string;
      readonly options: Readonly<Record<string, string>>;
      /** Whether there is always a value. */
      readonly isRequired?: boolean;
      /**
       * Label of the option without a value.
       *
       * @default 'Any'
       */
      readonly empty?: string;
    };

/** Whether a filter of a list is used that is not required. */
export function isFiltered(filters: readonly Filter[], query: URLSearchParams): boolean {
  return filters.some((filter) => !('isRequired' in filter) && query.get(filter.name));
}

/** Narrow screens hide the filters until they are opened. */
const isPhone = matchMedia('(max-width: 800px)');

/**
 * Renders the filters of a list. They stand in the address, so that a filtered list can be bookmarked
 * and shared.
 *
 * @param path Path of the list.
 * @param query The present filters.
 */
export function viewOfFilters(path: string, filters: readonly Filter[], query: URLSearchParams) {
  if (filters.length === 0) return nothing;
  return html`
    <details class="filters" ?open=${!isPhone.matches || isFiltered(filters, query)}>
      <summary>Filters</summary>
      ${viewOfFilterForm(path, filters, query)}
    </details>
  `;
}

/** Renders the form of filters, which is visible on all screens. */
export function viewOfFilterForm(path: string, filters: readonly Filter[], query: URLSearchParams) {
  const apply = (event: Event) => {
    event.preventDefault();
    const form = (event.currentTarget as HTMLElement).closest('form') as HTMLFormElement;
    navigate(addressOf(path, Object.fromEntries(new FormData(form)) as Record<string, string>));
  };
  return html`
    <form role="search" @submit=${apply} @change=${apply}>
      ${filters.map((filter) => viewOfFilter(filter, query.get(filter.name) ?? ''))}
      ${isFiltered(filters, query) ? html`<a class="clear" href=${path}>Clear filters</a>` : ''}
    </form>
  `;
}

function viewOfFilter(filter: Filter, value: string) {
  if ('options' in filter) {
    return html`<label>
      ${filter.label}
      <select name=${filter.name} .value=${value}>
        ${filter.isRequired ? nothing : html`<option value="">${filter.empty ?? 'Any'}</option>`}
        ${Object.entries(filter.options).map(
          ([option, label]) =>
            html`<option value=${option} ?selected=${option === value}>${label}</option>`,
        )}
      </select>
    </label>`;
  }
  return html`<label>
    ${filter.label}
    <input name=${filter.name} type=${filter.type} maxlength="200" .value=${value} />
  </label>`;
}
