import type { IssuanceRecord } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { addressOf } from './address.ts';
import { type Filter, viewOfFilters } from './filters.ts';
import { viewOfTime } from './format.ts';
import { Page, viewOfTask } from './page.ts';
import { pageSize, viewOfPager } from './pager.ts';

interface IssuancePage {
  readonly data: readonly IssuanceRecord[];
  readonly next_page: string | null;
}

const path = 'tokens';

const filters: readonly Filter[] = [
  { name: 'external_user_id', label: 'Person', type: 'search' },
  { name: 'agent_id', label: 'Agent', type: 'search' },
  {
    name: 'status',
    label: 'Status',
    options: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  },
];

/** The tokens of all people, the latest first. */
export class TokensPage extends Page {
  readonly heading = 'Tokens';
  @state() private error = '';

  readonly #task = new Task(this, {
    args: () => [this.address.query.toString()],
    task: ([query], { signal }) =>
      this.api.get<IssuancePage>(
        'embed_tokens',
        { ...Object.fromEntries(new URLSearchParams(query)), limit: pageSize },
        signal,
      ),
  });

  override render() {
    const { query } = this.address;
    return html`
      <header><h1>Tokens</h1></header>
      ${viewOfFilters(path, filters, query)}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
      ${viewOfTask(this.#task, ({ data, next_page }) =>
        data.length === 0
          ? html`<p class="empty">
              ${
                query.size > 0
                  ? html`No token matches these filters. <a href=${path}>Clear filters</a>`
                  : 'No tokens. Your backend issues one when a person opens the chat; they last for minutes.'
              }
            </p>`
          : html`
              <table class="list">
                <thead>
                  <tr>
                    <th>Person</th>
                    <th>Status</th>
                    <th class="number">Issued</th>
                    <th class="number">Expires</th>
                    <th><span class="hidden">Actions</span></th>
                  </tr>
                </thead>
                <tbody>
                  ${data.map((token) => this.#viewOfRow(token))}
                </tbody>
              </table>
              ${viewOfPager(path, Object.fromEntries(query), next_page)}
            `,
      )}
    `;
  }

  #viewOfRow(token: IssuanceRecord) {
    const { external_user_id: person, revoked_at: revokedAt, expires_at: expiresAt } = token;
    const isActive = revokedAt === null && Date.parse(expiresAt) > Date.now();
    const status = isActive ? 'Active' : revokedAt === null ? 'Expired' : 'Revoked';
    return html`
      <tr>
        <td>
          <a data-row href=${addressOf('conversations', { external_user_id: person })}>${person}</a>
          ${token.anonymous ? html`<span class="state">visitor</span>` : nothing}
        </td>
        <td data-label="Status"><span class="state ${status.toLowerCase()}">${status}</span></td>
        <td data-label="Issued" class="number">${viewOfTime(token.created_at)}</td>
        <td data-label="Expires" class="number">${viewOfTime(revokedAt ?? expiresAt)}</td>
        <td class="number">
          ${
            isActive && this.operator.role === 'admin'
              ? html`<button @click=${() => this.#revoke(token)}>Revoke</button>`
              : nothing
          }
        </td>
      </tr>
    `;
  }

  async #revoke({ id, external_user_id: person }: IssuanceRecord) {
    if (!confirm(`Revoke this token of ${person}? Its open chat ends at once.`)) return;
    this.error = '';
    try {
      await this.api.post(`embed_tokens/${id}/revoke`);
      await this.#task.run();
    } catch (error) {
      this.error = (error as Error).message;
    }
  }
}
