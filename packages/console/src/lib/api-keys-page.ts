import { html, nothing } from 'lit';
import { Actions } from './actions.ts';
import { Dialog } from './dialog.ts';
import { viewOfTime } from './format.ts';
import { ListPage, viewOfTable } from './list-page.ts';
import { refresh } from './page.ts';

interface ApiKey {
  readonly id: string;
  readonly name: string | null;
  readonly is_from_environment: boolean;
  readonly created_at: string | null;
  readonly ends_at: string | null;
  readonly last_used_at: string | null;
}

/** The API keys of backends, newest first. */
export class ApiKeysPage extends ListPage<ApiKey> {
  readonly heading = 'API keys';
  protected readonly path = 'api-keys';
  protected readonly source = 'api_keys';
  protected readonly items = 'API keys';
  protected readonly filters = [];
  protected readonly emptyText =
    'No API keys. A backend needs one to issue tokens; “Create key” makes the first one.';
  readonly #actions = new Actions(this);
  readonly #dialog = new Dialog(this);

  protected override viewOfHeader() {
    return html`
      <header>
        <h1>API keys</h1>
        ${
          this.operator.role === 'admin'
            ? html`<button class="primary" @click=${this.#create}>Create key</button>`
            : nothing
        }
      </header>
      ${this.#actions.viewOfError()}${this.#dialog.view()}
    `;
  }

  protected viewOfItems(keys: readonly ApiKey[]) {
    return viewOfTable(
      ['Name', 'Id', 'Status', { number: 'Created' }, { number: 'Last used' }, 'Actions'],
      keys.map((key) => this.#viewOfRow(key)),
      'labelled',
    );
  }

  #viewOfRow(key: ApiKey) {
    const { id, name, is_from_environment: isFromEnvironment, ends_at: endsAt } = key;
    const hasEnded = endsAt !== null && Date.parse(endsAt) <= Date.now();
    return html`
      <tr>
        <td title=${name ?? ''}><strong>${name ?? 'Without a name'}</strong></td>
        <td data-label="Id" class="fit"><code>${id}</code></td>
        <td data-label="Status">${viewOfStatus(endsAt, hasEnded)}</td>
        <td data-label="Created" class="number">${viewOfTime(key.created_at)}</td>
        <td data-label="Last used" class="number">
          ${isFromEnvironment ? nothing : viewOfTimeOrNever(key.last_used_at)}
        </td>
        <td class="fit">
          ${isFromEnvironment ? html`<span class="state">Set in the environment</span>` : nothing}
          ${
            isFromEnvironment || hasEnded
              ? nothing
              : html`<button @click=${() => this.#rotate(key)}>Rotate</button>
                  <button class="danger" @click=${() => this.#revoke(key)}>Revoke</button>`
          }
        </td>
      </tr>
    `;
  }

  readonly #create = () => {
    this.#dialog.form({
      heading: 'Create an API key',
      fields: html`
        <p>It gives a backend access to all conversations, users and settings.</p>
        <label>
          Name
          <input name="name" maxlength="100" required autofocus autocomplete="off" />
          <span>The audit record names the key by it, such as “shop backend”.</span>
        </label>
      `,
      submit: 'Create key',
      action: async (data) => {
        const { key } = await this.api.post<{ key: string }>('api_keys', {
          name: String(data.get('name')).trim(),
        });
        await this.#showKey(key);
      },
    });
  };

  #rotate({ id, name }: ApiKey) {
    this.#dialog.form({
      heading: `Rotate ${name ?? id}`,
      fields: html`
        <p>A new key replaces it, with the same name and limits.</p>
        <label>
          The old key works for another
          <select name="overlap">
            <option value="0">0 seconds: it ends now</option>
            <option value="3600">hour</option>
            <option value="86400" selected>day</option>
            <option value="604800">7 days</option>
          </select>
        </label>
      `,
      submit: 'Rotate key',
      action: async (data) => {
        const { key } = await this.api.post<{ key: string }>(`api_keys/${id}/rotate`, {
          overlap_seconds: Number(data.get('overlap')),
        });
        await this.#showKey(key);
      },
    });
  }

  #revoke({ id, name }: ApiKey) {
    const question = `Revoke the API key ${name ?? id}? Requests with it are refused from now on.`;
    return this.#actions.perform(question, async () => {
      await this.api.post(`api_keys/${id}/revoke`);
      await refresh(this.list);
    });
  }

  #showKey(key: string) {
    this.#dialog.secret({
      heading: 'Your new API key',
      label: 'API key',
      secret: key,
      hint: 'Copy it into the environment of your backend, as INLAY_API_KEY. It cannot be shown again.',
    });
    return refresh(this.list);
  }
}

function viewOfStatus(endsAt: string | null, hasEnded: boolean) {
  if (endsAt === null) return html`<span class="state active">Active</span>`;
  return html`<span class="state">${hasEnded ? 'Ended' : 'Ends'} ${viewOfTime(endsAt)}</span>`;
}

function viewOfTimeOrNever(iso: string | null) {
  return iso === null ? 'Never' : viewOfTime(iso);
}
