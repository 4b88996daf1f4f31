import type { EndUserRecord } from '@inlay/protocol';
import { html, nothing } from 'lit';
import { addressOf } from './address.ts';
import { type AgentName, loadAgents } from './agents.ts';
import type { Filter } from './filters.ts';
import { formatCents, formatCount, viewOfTime } from './format.ts';
import { ListPage, viewOfTable } from './list-page.ts';

const path = 'people';

/** The users who have written to an agent, latest message first. */
export class PeoplePage extends ListPage<EndUserRecord> {
  readonly heading = 'People';
  protected readonly path = path;
  protected readonly items = 'people';
  protected readonly emptyText =
    'No user has written to this agent. Users appear here with their first message.';
  #agents: readonly AgentName[] = [];

  protected get filters(): readonly Filter[] {
    const agents = Object.fromEntries(this.#agents.map(({ id, name }) => [id, name]));
    return [
      { name: 'agent', label: 'Agent', options: agents, isRequired: true },
      { name: 'query', label: 'Id begins with', type: 'search' },
      { name: 'blocked', label: 'Access', options: { true: 'Blocked', false: 'Not blocked' } },
      { name: 'seen_after', label: 'Seen since (UTC)', type: 'date' },
    ];
  }

  protected override get query() {
    const agent = this.address.query.get('agent') ?? this.#agents[0]?.id ?? '';
    return new URLSearchParams([...this.address.query, ['agent', agent]]);
  }

  protected get source() {
    return `agents/${encodeURIComponent(this.query.get('agent') ?? '')}/end_users`;
  }

  protected override async load(
    { agent: _, ...query }: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) {
    if (this.#agents.length === 0) this.#agents = await loadAgents(this.api, signal);
    return super.load(query, signal);
  }

  protected viewOfItems(people: readonly EndUserRecord[]) {
    const numbers = ['Conversations', 'Cost', 'First seen', 'Last seen'];
    return viewOfTable(
      ['User', 'Access', ...numbers.map((number) => ({ number }))],
      people.map(viewOfRow),
    );
  }
}

function viewOfRow(person: EndUserRecord) {
  const { agent_id: agent, external_user_id: id, anonymous, blocked } = person;
  return html`
    <tr>
      <td>
        <a data-row href=${`${path}/${encodeURIComponent(agent)}/${encodeURIComponent(id)}`}>${id}</a>
        ${anonymous ? html`<span class="state">visitor</span>` : nothing}
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
