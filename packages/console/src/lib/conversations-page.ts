import type { SessionRecord } from '@inlay/protocol';
import { html, nothing } from 'lit';
import { addressOf } from './address.ts';
import type { Filter } from './filters.ts';
import { formatCents, viewOfTime } from './format.ts';
import { outcomes, statuses } from './labels.ts';
import { ListPage, viewOfTable } from './list-page.ts';

const path = 'conversations';

/** The conversations of all users, latest message first. */
export class ConversationsPage extends ListPage<SessionRecord> {
  readonly heading = 'Conversations';
  protected readonly path = path;
  protected readonly source = 'sessions';
  protected readonly items = 'conversations';
  protected readonly emptyText =
    html`No conversations yet. They appear here when a user writes to an
    agent. To try it, put the chat on a page: the guides are at <code>docs/quick-start</code>.`;
  protected readonly filters: readonly Filter[] = [
    { name: 'query', label: 'Words', type: 'search' },
    { name: 'external_user_id', label: 'User', type: 'search' },
    { name: 'agent_id', label: 'Agent', type: 'search' },
    { name: 'outcome', label: 'Last answer', options: outcomes },
    { name: 'rating', label: 'Rating', options: { up: 'Good', down: 'Bad' } },
    { name: 'status', label: 'Status', options: statuses },
    { name: 'publishable_key', label: 'Publishable key', type: 'search' },
    { name: 'active_after', label: 'Active since (UTC)', type: 'date' },
    { name: 'active_before', label: 'Active before (UTC)', type: 'date' },
  ];

  protected viewOfItems(sessions: readonly SessionRecord[]) {
    return viewOfTable(
      ['Conversation', 'User', 'Agent', 'Last answer', { number: 'Cost' }, { number: 'Active' }],
      sessions.map(viewOfRow),
    );
  }
}

function viewOfRow(session: SessionRecord) {
  const { id, external_user_id: user, agent, outcome, status } = session;
  return html`
    <tr>
      <td>
        <a data-row href=${`${path}/${id}`} dir="auto"
          >${session.title ?? session.preview ?? 'Without a message'}</a
        >
      </td>
      <td data-label="User">
        <a href=${addressOf(path, { external_user_id: user })}>${user}</a>
      </td>
      <td data-label="Agent">${agent.name}</td>
      <td data-label="Last answer">${viewOfState(status, outcome)}</td>
      <td data-label="Cost" class="number">${formatCents(session.spent_cents)}</td>
      <td data-label="Active" class="number">${viewOfTime(session.active_at)}</td>
    </tr>
  `;
}

/** The outcome of the last answer; the status while there is none. */
function viewOfState(status: string, outcome: string | null) {
  if (status !== 'idle')
    return html`<span class="state ${status}">${statuses[status] ?? status}</span>`;
  if (outcome === null) return nothing;
  return html`<span class="state ${outcome}">${outcomes[outcome] ?? outcome}</span>`;
}
