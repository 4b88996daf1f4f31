import type { AgentResource } from '@inlay/protocol';
import { html, nothing } from 'lit';
import { pathOfAgent } from './agent/section.ts';
import type { Filter } from './filters.ts';
import { formatCount, viewOfTime } from './format.ts';
import { ListPage, viewOfTable } from './list-page.ts';

/** The agents, newest first; those of the configuration file last. */
export class AgentsPage extends ListPage<AgentResource> {
  readonly heading = 'Agents';
  protected readonly path = 'agents';
  protected readonly source = 'agents';
  protected readonly items = 'agents';
  protected readonly filters: readonly Filter[] = [
    {
      name: 'include_archived',
      label: 'Archived',
      options: { false: 'Hidden', true: 'Shown' },
      isRequired: true,
    },
  ];

  protected get emptyText() {
    return this.#isAdmin
      ? html`No agents. <a href="agents/new">Create one</a>, or add it to the configuration file.`
      : 'No agents. An admin can create one.';
  }

  get #isAdmin() {
    return this.operator.role === 'admin';
  }

  protected override viewOfHeader() {
    return html`<header>
      <h1>${this.heading}</h1>
      ${this.#isAdmin ? html`<a class="button primary" href="agents/new">New agent</a>` : nothing}
    </header>`;
  }

  protected viewOfItems(agents: readonly AgentResource[]) {
    return viewOfTable(
      [
        'Agent',
        'Pages',
        { number: 'Version' },
        { number: 'Keys' },
        { number: 'Blocked users' },
        { number: 'Created' },
      ],
      agents.map(viewOfRow),
      'agents',
    );
  }
}

function viewOfRow(agent: AgentResource) {
  const path = pathOfAgent(agent);
  return html`
    <tr>
      <td>
        <a data-row href=${path}>${agent.name}</a> <span class="state">${agent.short_id}</span>
      </td>
      <td data-label="Pages">${viewOfPages(agent)}</td>
      <td data-label="Version" class="number">
        <a href="${path}/versions">${agent.version}</a>
      </td>
      <td data-label="Keys" class="number">
        <a href="${path}/keys">${formatCount(agent.publishable_keys.length)}</a>
      </td>
      <td data-label="Blocked users" class="number">
        <a href="${path}/blocked">${formatCount(agent.blocked_end_user_count ?? 0)}</a>
      </td>
      <td data-label="" class="number">
        ${agent.declared ? 'In the file' : viewOfTime(agent.created_at)}
      </td>
    </tr>
  `;
}

/** The origins whose pages may use the agent. */
function viewOfPages({ embed, archived_at: archivedAt }: AgentResource) {
  if (archivedAt !== null) return html`<span class="state failed">Archived</span>`;
  const origins = embed?.allowed_origins ?? [];
  if (origins.length === 0) return html`<span class="state">None</span>`;
  return origins.join(', ');
}
