import type { SessionRecord } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html, nothing } from 'lit';
import { addressOf } from './address.ts';
import { type Filter, viewOfFilters } from './filters.ts';
import { formatCents, viewOfTime } from './format.ts';
import { outcomes, statuses } from './labels.ts';
import { Page, viewOfTask } from './page.ts';
import { pageSize, viewOfPager } from './pager.ts';

interface SessionPage {
  readonly data: readonly SessionRecord[];
  readonly next_page: string | null;
}

const path = 'conversations';

const filters: readonly Filter[] = [
  { name: 'external_user_id', label: 'Person', type: 'search' },
  { name: 'agent_id', label: 'Agent', type: 'search' },
  { name: 'outcome', label: 'Last answer', options: outcomes },
  { name: 'rating', label: 'Rating', options: { up: 'Good', down: 'Bad' } },
  { name: 'status', label: 'Status', options: statuses },
  { name: 'active_after', label: 'Active since (UTC)', type: 'date' },
  { name: 'active_before', label: 'Active before (UTC)', type: 'date' },
];

/** The conversations of all people, the latest first. */
export class ConversationsPage extends Page {
  readonly heading = 'Conversations';

  readonly #task = new Task(this, {
    args: () => [this.address.query.toString()],
    task: ([query], { signal }) =>
      this.api.get<SessionPage>(
        'sessions',
        { ...toQuery(new URLSearchParams(query)), limit: pageSize },
        signal,
      ),
  });

  override render() {
    const { query } = this.address;
    return html`
      <header><h1>Conversations</h1></header>
      ${viewOfFilters(path, filters, query)}
      ${viewOfTask(this.#task, ({ data, next_page }) =>
        data.length === 0 && next_page === null
          ? viewOfEmpty(query)
          : html`
              <table class="list">
                <thead>
                  <tr>
                    <th>Conversation</th>
                    <th>Person</th>
                    <th>Agent</th>
                    <th>Last answer</th>
                    <th class="number">Cost</th>
                    <th class="number">Active</th>
                  </tr>
                </thead>
                <tbody>
                  ${data.map(viewOfRow)}
                </tbody>
              </table>
              ${
                data.length === 0
                  ? html`<p class="pending">None of the conversations examined so far match.</p>`
                  : nothing
              }
              ${viewOfPager(path, Object.fromEntries(query), next_page)}
            `,
      )}
    `;
  }
}

/** Days of the address as the times of their start in UTC, which the platform compares. */
function toQuery(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...query].map(([name, value]) => [
      name,
      /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value,
    ]),
  );
}

function viewOfRow(session: SessionRecord) {
  const { id, external_user_id: person, agent, outcome, status } = session;
  return html`
    <tr>
      <td>
        <a data-row href=${`${path}/${id}`} dir="auto"
          >${session.title ?? session.preview ?? 'Without a message'}</a
        >
      </td>
      <td data-label="Person">
        <a href=${addressOf(path, { external_user_id: person })}>${person}</a>
      </td>
      <td data-label="Agent">${agent.name}</td>
      <td data-label="Last answer">${viewOfState(status, outcome)}</td>
      <td data-label="Cost" class="number">${formatCents(session.spent_cents)}</td>
      <td data-label="Active" class="number">${viewOfTime(session.active_at)}</td>
    </tr>
  `;
}

/** How the last answer ended, or that it has not. */
function viewOfState(status: string, outcome: string | null) {
  if (status !== 'idle')
    return html`<span class="state ${status}">${statuses[status] ?? status}</span>`;
  if (outcome === null) return nothing;
  return html`<span class="state ${outcome}">${outcomes[outcome] ?? outcome}</span>`;
}

function viewOfEmpty(query: URLSearchParams) {
  if (query.size > 0) {
    return html`<p class="empty">
      No conversation matches these filters. <a href=${path}>Clear filters</a>
    </p>`;
  }
  return html`<p class="empty">
    No conversations yet. They appear here when somebody writes to an agent. To try it, put the chat on a
    page: the guides are at <code>docs/quick-start</code>.
  </p>`;
}
