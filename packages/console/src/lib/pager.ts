import { html, nothing } from 'lit';
import { addressOf } from './address.ts';

/** Rows per page. */
export const pageSize = 50;

/** Links to the next page of a list, and back to the first one. */
export function viewOfPager(
  path: string,
  query: Readonly<Record<string, string>>,
  nextPage: string | null,
) {
  if (nextPage === null && !query.page) return nothing;
  return html`
    <nav class="pager" aria-label="Pages">
      ${query.page ? html`<a href=${addressOf(path, { ...query, page: '' })}>Newest</a>` : nothing}
      ${
        nextPage === null
          ? nothing
          : html`<a href=${addressOf(path, { ...query, page: nextPage })}>Older</a>`
      }
    </nav>
  `;
}
