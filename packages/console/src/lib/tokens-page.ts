import type { IssuanceRecord } from '@inlay/protocol';
import { html, nothing } from 'lit';
import { Actions } from './actions.ts';
import { addressOf } from './address.ts';
import type { Filter } from './filters.ts';
import { viewOfTime } from './format.ts';
import { ListPage, viewOfTable } from './list-page.ts';

/** The tokens of all users, newest first. */
export class TokensPage extends ListPage<IssuanceRecord> {
  readonly heading = 'Tokens';
  protected readonly path = 'tokens';
  protected readonly source = 'embed_tokens';
  protected readonly items = 'tokens';
  protected readonly emptyText =
    'No tokens. Your backend issues one when a user opens the chat; they are valid for minutes.';
  protected readonly filters: readonly Filter[] = [
    { name: 'external_user_id', label: 'User', type: 'search' },
    { name: 'agent_id', label: 'Agent', type: 'search' },
    {
      name: 'status',
      label: 'Status',
      options: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
    },
  ];
  readonly #actions = new Actions(this);

  protected viewOfItems(tokens: readonly IssuanceRecord[]) {
    const actions = this.operator.role === 'admin' ? ['Actions'] : [];
    return html`
      ${this.#actions.viewOfError()}
      ${viewOfTable(
        ['User', 'Status', { number: 'Issued' }, { number: 'Expires' }, ...actions],
        tokens.map((token) => this.#viewOfRow(token)),
      )}
    `;
  }

  #viewOfRow(token: IssuanceRecord) {
    const { external_user_id: user, revoked_at: revokedAt, expires_at: expiresAt } = token;
    const isActive = revokedAt === null && Date.parse(expiresAt) > Date.now();
    const status = isActive ? 'Active' : revokedAt === null ? 'Expired' : 'Revoked';
    return html`
      <tr>
        <td>
          <a data-row href=${addressOf('conversations', { external_user_id: user })}>${user}</a>
          ${token.anonymous ? html`<span class="state">visitor</span>` : nothing}
        </td>
        <td data-label="Status"><span class="state ${status.toLowerCase()}">${status}</span></td>
        <td data-label="Issued" class="number">${viewOfTime(token.created_at)}</td>
        <td data-label=${isActive ? 'Expires' : status} class="number">${viewOfTime(revokedAt ?? expiresAt)}</td>
        ${
          this.operator.role === 'admin'
            ? html`<td>
                ${
                  isActive
                    ? html`<button @click=${() => this.#revoke(token)}>Revoke</button>`
                    : nothing
                }
              </td>`
            : nothing
        }
      </tr>
    `;
  }

  #revoke({ id, external_user_id: user }: IssuanceRecord) {
    const question = `Revoke this token of ${user}? The chat that uses it ends immediately.`;
    return this.#actions.perform(question, async () => {
      await this.api.post(`embed_tokens/${id}/revoke`);
      await this.list.run();
    });
  }
}
