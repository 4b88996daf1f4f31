import type { AuditEvent } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html } from 'lit';
import { type Filter, viewOfFilters } from './filters.ts';
import { viewOfTime } from './format.ts';
import { Page, viewOfTask } from './page.ts';
import { pageSize, viewOfPager } from './pager.ts';

interface AuditEvents {
  readonly data: readonly AuditEvent[];
  readonly next_page: string | null;
}

const path = 'audit';

const filters: readonly Filter[] = [
  { name: 'actor', label: 'Who', type: 'search' },
  { name: 'action', label: 'Operation', type: 'search' },
  { name: 'subject', label: 'On', type: 'search' },
];

/** What API keys, operators and commands have done, the latest first. */
export class AuditPage extends Page {
  readonly heading = 'Audit';

  readonly #task = new Task(this, {
    args: () => [this.address.query.toString()],
    task: ([query], { signal }) =>
      this.api.get<AuditEvents>(
        'audit_events',
        { ...Object.fromEntries(new URLSearchParams(query)), limit: pageSize },
        signal,
      ),
  });

  override render() {
    const { query } = this.address;
    return html`
      <header><h1>Audit</h1></header>
      ${viewOfFilters(path, filters, query)}
      ${viewOfTask(this.#task, ({ data, next_page }) =>
        data.length === 0
          ? html`<p class="empty">
              ${
                query.size > 0
                  ? html`No entry matches these filters. <a href=${path}>Clear filters</a>`
                  : 'No entries. What API keys, operators and commands change is recorded here.'
              }
            </p>`
          : html`
              <table class="list audit">
                <thead>
                  <tr>
                    <th>Operation</th>
                    <th>Who</th>
                    <th>On</th>
                    <th class="number">Time</th>
                  </tr>
                </thead>
                <tbody>
                  ${data.map(viewOfRow)}
                </tbody>
              </table>
              ${viewOfPager(path, Object.fromEntries(query), next_page)}
            `,
      )}
    `;
  }
}

function viewOfRow({ action, actor, subject, at }: AuditEvent) {
  return html`
    <tr>
      <td title=${action}>${action}</td>
      <td data-label="Who">${actor}</td>
      <td data-label="On" title=${subject}>${subject}</td>
      <td data-label="Time" class="number">${viewOfTime(at)}</td>
    </tr>
  `;
}
