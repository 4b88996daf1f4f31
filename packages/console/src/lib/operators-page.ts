import { html, nothing } from 'lit';
import { Actions } from './actions.ts';
import type { Operator } from './api.ts';
import { Dialog } from './dialog.ts';
import { viewOfTime } from './format.ts';
import { ListPage, viewOfTable } from './list-page.ts';
import { refresh } from './page.ts';

interface OperatorRecord extends Operator {
  readonly created_at: string;
  readonly disabled_at: string | null;
}

interface Invitation {
  readonly name: string;
  /** Address that signs the operator in, once. */
  readonly link: string;
}

/** The operators of the console, by name. */
export class OperatorsPage extends ListPage<OperatorRecord> {
  readonly heading = 'Operators';
  protected readonly path = 'operators';
  protected readonly source = 'operators';
  protected readonly items = 'operators';
  protected readonly filters = [];
  protected readonly emptyText = 'No operators. “Add operator” creates the first one.';
  readonly #actions = new Actions(this);
  readonly #dialog = new Dialog(this);

  protected override viewOfHeader() {
    return html`
      <header>
        <h1>Operators</h1>
        ${
          this.operator.role === 'admin'
            ? html`<button class="primary" @click=${this.#create}>Add operator</button>`
            : nothing
        }
      </header>
      ${this.#actions.viewOfError()}${this.#dialog.view()}
    `;
  }

  protected viewOfItems(operators: readonly OperatorRecord[]) {
    return viewOfTable(
      ['Name', 'Role', 'Status', { number: 'Created' }, 'Actions'],
      operators.map((operator) => this.#viewOfRow(operator)),
      'labelled',
    );
  }

  #viewOfRow(operator: OperatorRecord) {
    const { name, role, disabled_at: disabledAt, has_account: hasAccount } = operator;
    const isDisabled = disabledAt !== null;
    const isSelf = name === this.operator.name;
    const other = role === 'admin' ? 'viewer' : 'admin';
    return html`
      <tr>
        <td title=${name}>
          <strong>${name}</strong>
          ${isSelf ? html`<span class="state">you</span>` : nothing}
        </td>
        <td data-label="Role">${role}</td>
        <td data-label="Status">${viewOfStatus(operator)}</td>
        <td data-label="Created" class="number">${viewOfTime(operator.created_at)}</td>
        <td class="fit">
          ${
            isDisabled
              ? html`<button @click=${() => this.#change(operator, 'enable')}>Enable</button>`
              : html`
                  ${
                    hasAccount
                      ? nothing
                      : html`<button
                          @click=${() => this.#change(operator, 'role', { role: other })}
                        >
                          Make ${other}
                        </button>`
                  }
                  ${
                    isSelf || hasAccount
                      ? nothing
                      : html`<button @click=${() => this.#resetPassword(operator)}>
                          Reset password
                        </button>`
                  }
                  <button class="danger" @click=${() => this.#change(operator, 'disable')}>
                    Disable
                  </button>
                `
          }
        </td>
      </tr>
    `;
  }

  readonly #create = () => {
    this.#dialog.form({
      heading: 'Add an operator',
      fields: html`
        <label>
          Name
          <input
            name="name"
            maxlength="64"
            required
            autofocus
            autocomplete="off"
            autocapitalize="none"
          />
          <span>The operator signs in with it, such as “ada” or “ada@example.com”.</span>
        </label>
        <label>
          Role
          <select name="role">
            <option value="viewer">viewer, who may read</option>
            <option value="admin">admin, who may change everything</option>
          </select>
        </label>
      `,
      submit: 'Add operator',
      action: async (data) => {
        const body = { name: String(data.get('name')), role: String(data.get('role')) };
        await this.#showLink(await this.api.post<Invitation>('operators', body));
      },
    });
  };

  #resetPassword({ name }: OperatorRecord) {
    const question = `Reset the password of ${name}? The old one and all sessions end now, and you get a sign-in link.`;
    return this.#actions.perform(question, async () => {
      await this.#showLink(await this.api.post<Invitation>(`${pathOf(name)}/link`));
    });
  }

  #change(
    { name }: OperatorRecord,
    operation: 'role' | 'enable' | 'disable',
    body: { role?: Operator['role'] } = {},
  ) {
    const questions = {
      role:
        body.role === 'admin'
          ? `Make ${name} an admin, who may change everything?`
          : `Make ${name} a viewer, who may only read?`,
      enable: null,
      disable: `Disable ${name}? All sessions of ${name} end now.`,
    };
    return this.#actions.perform(questions[operation], async () => {
      await this.api.post(`${pathOf(name)}/${operation}`, body);
      if (name === this.operator.name) await this.#updateOwn();
      await refresh(this.list);
    });
  }

  /** Shows what the operator's own new role allows. */
  async #updateOwn() {
    const detail = await this.api.operator();
    if (detail) this.dispatchEvent(new CustomEvent('operator-change', { detail, bubbles: true }));
  }

  #showLink({ name, link }: Invitation) {
    this.#dialog.secret({
      heading: `Sign-in link of ${name}`,
      label: 'Sign-in link',
      secret: link,
      hint: `Send it to ${name}, who then sets a password. It works once, within 24 hours, and cannot be shown again.`,
    });
    return refresh(this.list);
  }
}

function pathOf(name: string): string {
  return `operators/${encodeURIComponent(name)}`;
}

function viewOfStatus({
  disabled_at: disabledAt,
  has_password: hasPassword,
  has_account: hasAccount,
}: OperatorRecord) {
  if (disabledAt !== null) {
    return html`<span class="state failed">Disabled ${viewOfTime(disabledAt)}</span>`;
  }
  return hasPassword || hasAccount
    ? html`<span class="state active">Active</span>`
    : html`<span class="state">No password yet</span>`;
}
