import type { AuditEvent } from '@inlay/protocol';
import { html } from 'lit';
import type { Filter } from './filters.ts';
import { viewOfTime } from './format.ts';
import { ListPage, viewOfTable } from './list-page.ts';

/** The audit record: operations of API keys, operators and commands, newest first. */
export class AuditPage extends ListPage<AuditEvent> {
  readonly heading = 'Audit';
  protected readonly path = 'audit';
  protected readonly source = 'audit_events';
  protected readonly items = 'entries';
  protected readonly emptyText =
    'No entries. Changes by API keys, operators and commands are recorded here.';
  protected readonly filters: readonly Filter[] = [
    { name: 'actor', label: 'Actor', type: 'search' },
    { name: 'action', label: 'Operation', type: 'search' },
    { name: 'subject', label: 'Subject', type: 'search' },
  ];

  protected viewOfItems(events: readonly AuditEvent[]) {
    return viewOfTable(
      ['Operation', 'Actor', 'Subject', { number: 'Time' }],
      events.map(viewOfRow),
      'audit',
    );
  }
}

function viewOfRow({ action, actor, subject, at }: AuditEvent) {
  return html`
    <tr>
      <td title=${action}>${action}</td>
      <td data-label="Actor">${actor}</td>
      <td data-label="Subject" title=${subject}>${subject}</td>
      <td data-label="Time" class="number">${viewOfTime(at)}</td>
    </tr>
  `;
}
