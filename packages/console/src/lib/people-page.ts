import type { EndUserRecord } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html } from 'lit';
import { addressOf } from './address.ts';
import { agentFilter, loadAgents } from './agents.ts';
import { type Filter, viewOfFilters } from './filters.ts';
import { formatCents, formatCount, viewOfTime } from './format.ts';
import { Page, viewOfTask } from './page.ts';
import { pageSize, viewOfPager } from './pager.ts';

interface EndUserPage {
  readonly data: readonly EndUserRecord[];
  readonly next_page: string | null;
}

const path = 'people';

const filters: readonly Filter[] = [
  { name: 'query', label: 'Id begins with', type: 'search' },
  { name: 'blocked', label: 'Access', options: { true: 'Blocked', false: 'Not blocked' } },
];

/** The people who have written to an agent, the latest first. */
export class PeoplePage extends Page {
  readonly heading = 'People';

  readonly #task = new Task(this, {
    args: () => [this.address.query.toString()],
    task: async ([text], { signal }) => {
      const { agent, ...query } = Object.fromEntries(new URLSearchParams(text));
      const agents = await loadAgents(this.api, signal);
      const current = agent ?? agents[0]?.id ?? '';
      const page = await this.api.get<EndUserPage>(
        `agents/${encodeURIComponent(current)}/end_users`,
        { ...query, limit: pageSize },
        signal,
      );
      return { agents, current, ...page };
    },
  });

  override render() {
    const { query } = this.address;
    return html`
      <header><h1>People</h1></header>
      ${viewOfTask(this.#task, ({ agents, current, data, next_page }) => {
        const shown = new URLSearchParams(query);
        shown.set('agent', current);
        return html`
          ${viewOfFilters(path, [agentFilter(agents), ...filters], shown)}
          ${
            data.length === 0 && next_page === null
              ? html`<p class="empty">
                  Nobody has written to this agent, or nobody matches. People appear here with their
                  first message.
                </p>`
              : html`
                  <table class="list">
                    <thead>
                      <tr>
                        <th>Person</th>
                        <th>Access</th>
                        <th class="number">Conversations</th>
                        <th class="number">Cost</th>
                        <th class="number">First seen</th>
                        <th class="number">Last seen</th>
                      </tr>
                    </thead>
                    <tbody>
                      ${data.map(viewOfRow)}
                    </tbody>
                  </table>
                  ${viewOfPager(path, Object.fromEntries(shown), next_page)}
                `
          }
        `;
      })}
    `;
  }
}

function viewOfRow(person: EndUserRecord) {
  const { agent_id: agent, external_user_id: id, anonymous, blocked } = person;
  return html`
    <tr>
      <td>
        <a data-row href=${personAddress(agent, id)}>${id}</a>
        ${anonymous ? html`<span class="state">visitor</span>` : ''}
      </td>
      <td data-label="Access">
        <span class="state ${blocked ? 'failed' : ''}">${blocked ? 'Blocked' : 'Allowed'}</span>
      </td>
      <td data-label="Conversations" class="number">
        <a href=${addressOf('conversations', { external_user_id: id })}
          >${formatCount(person.sessions)}</a
        >
      </td>
      <td data-label="Cost" class="number">${formatCents(person.spent_cents)}</td>
      <td data-label="First seen" class="number">${viewOfTime(person.first_seen_at)}</td>
      <td data-label="Last seen" class="number">${viewOfTime(person.last_seen_at)}</td>
    </tr>
  `;
}

/** Address of the page of a person. */
export function personAddress(agent: string, id: string): string {
  return `${path}/${encodeURIComponent(agent)}/${encodeURIComponent(id)}`;
}
