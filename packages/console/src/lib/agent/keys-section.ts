import type { PublishableKeyResource, UsageReport, UsageRow } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html, nothing } from 'lit';
import { Actions } from '../actions.ts';
import { addressOf, navigate } from '../address.ts';
import { formatCents, formatCount, viewOfTime } from '../format.ts';
import { viewOfTable } from '../list-page.ts';
import { keyGroups } from './key-fields.ts';
import { Section } from './section.ts';

export const keyStates: Readonly<Record<string, string>> = {
  active: 'Active',
  disabled: 'Disabled',
  ending: 'Ends soon',
  ended: 'Ended',
};

/** Seconds for which a replaced key keeps working. */
const overlaps = {
  0: 'not at all',
  3600: 'for an hour',
  86400: 'for a day',
  2592000: 'for 30 days',
};

const emptyUsage: Pick<UsageRow, 'sessions' | 'spent_cents'> = { sessions: 0, spent_cents: 0 };

/** The publishable keys of an agent, one of them, and a form for another one. */
export class KeysSection extends Section {
  readonly heading = 'Publishable keys';
  readonly #actions = new Actions(this);

  /** The usage of all keys on this UTC day, for which the quotas are. */
  readonly #usage = new Task(this, {
    args: () => [this.agent],
    task: async (_, { signal }) => {
      const day = new Date().toISOString().slice(0, 10);
      const query = { from: day, to: day, group_by: 'publishable_key' };
      const { data } = await this.api.get<UsageReport>('usage', query, signal);
      return new Map(data.map((row) => [row.publishable_key, row]));
    },
  });

  protected override render() {
    const [, , , name] = this.address.path.split('/').map(decodeURIComponent);
    if (name === undefined) return this.#viewOfList();
    if (name === 'new' && this.isAdmin) return this.#viewOfNew();
    const key = this.agent.publishable_keys.find((candidate) => candidate.key === name);
    return html`
      <p><a href=${this.#path}>All publishable keys</a></p>
      ${key ? this.#viewOfKey(key) : html`<p class="empty">This agent has no such key.</p>`}
    `;
  }

  get #path(): string {
    return `${this.agentPath}/keys`;
  }

  #viewOfList() {
    const { publishable_keys: keys } = this.agent;
    return html`
      <div class="toolbar">
        <p class="hint">
          For visitors, who are not signed in. A key is part of your page, and public. Its quotas are
          per UTC day.
        </p>
        ${this.isAdmin ? html`<a class="button primary" href="${this.#path}/new">New key</a>` : nothing}
      </div>
      ${
        keys.length === 0
          ? html`<p class="empty">
              No publishable keys.
              ${
                this.isAdmin
                  ? html`<a href="${this.#path}/new">Create one</a> to put the agent on a page without a
                      sign-in.`
                  : 'An admin can create one, to put the agent on a page without a sign-in.'
              }
            </p>`
          : viewOfTable(
              [
                'Key',
                'State',
                { number: 'Conversations today' },
                { number: 'Cost today' },
                { number: 'Created' },
              ],
              keys.map((key) => this.#viewOfRow(key)),
              'keys',
            )
      }
    `;
  }

  #viewOfRow(key: PublishableKeyResource) {
    const today = this.#today(key);
    return html`
      <tr>
        <td>
          <a data-row href="${this.#path}/${encodeURIComponent(key.key)}">${key.name ?? key.key}</a>
          ${key.name ? html` <span class="state">${key.key}</span>` : nothing}
        </td>
        <td data-label="State">
          <span class="state ${key.status}">${keyStates[key.status] ?? key.status}</span>
        </td>
        <td data-label="Conversations today" class="number">${today.sessions}</td>
        <td data-label="Cost today" class="number">${today.cost}</td>
        <td data-label="" class="number">
          ${key.created_at ? viewOfTime(key.created_at) : 'In the settings'}
        </td>
      </tr>
    `;
  }

  /** The used parts of the quotas; only the quotas until the usage is loaded. */
  #today({ key, sessions_per_day, spend_cents_per_day }: PublishableKeyResource) {
    const usage = this.#usage.value;
    const used = usage?.get(key) ?? emptyUsage;
    const quotas = {
      sessions: formatCount(sessions_per_day),
      cost: `${formatCount(spend_cents_per_day)} ¢`,
    };
    if (!usage) return quotas;
    return {
      sessions: `${formatCount(used.sessions)} of ${quotas.sessions}`,
      cost: `${used.spent_cents === 0 ? '0' : formatCents(used.spent_cents)} of ${quotas.cost}`,
    };
  }

  #viewOfKey(key: PublishableKeyResource) {
    const today = this.#today(key);
    return html`
      <div class="toolbar">
        <h2>${key.name ?? key.key}</h2>
        ${this.isAdmin ? this.#viewOfActions(key) : nothing}
      </div>
      ${this.#actions.viewOfError()}
      <dl class="facts">
        <dt>Key</dt>
        <dd>
          <code>${key.key}</code>${' '}
          <inlay-console-copy .text=${key.key} .label=${'the key'}></inlay-console-copy>
        </dd>
        <dt>State</dt>
        <dd>
          <span class="state ${key.status}">${keyStates[key.status] ?? key.status}</span>
          ${key.ends_at ? html`, ${viewOfTime(key.ends_at)}` : nothing}
        </dd>
        <dt>Conversations today</dt>
        <dd>
          <a href=${addressOf('conversations', { publishable_key: key.key })}>${today.sessions}</a>
        </dd>
        <dt>Cost today</dt>
        <dd>${today.cost}</dd>
      </dl>
      ${
        key.declared
          ? html`<p class="notice">
              This key is part of the agent’s settings. What it allows is changed there.
            </p>`
          : nothing
      }
      <inlay-console-form
        .groups=${keyGroups(key)}
        .resource=${key}
        .isReadOnly=${!this.isAdmin || key.declared}
        .save=${async (changes: object) => {
          await this.#post(key, '', changes);
          return 'Saved.';
        }}
      ></inlay-console-form>
      ${this.isAdmin && key.status !== 'ended' ? this.#viewOfRotation(key) : nothing}
    `;
  }

  #viewOfActions(key: PublishableKeyResource) {
    const { isBusy } = this.#actions;
    const isDisabled = key.status === 'disabled';
    return html`<div class="actions">
      <button ?disabled=${isBusy} @click=${() => this.#toggle(key, isDisabled)}>
        ${isDisabled ? 'Enable' : 'Disable'}
      </button>
      ${
        key.declared
          ? nothing
          : html`<button class="danger" ?disabled=${isBusy} @click=${() => this.#delete(key)}>
              Delete
            </button>`
      }
    </div>`;
  }

  #viewOfRotation(key: PublishableKeyResource) {
    return html`
      <section class="group">
        <div class="about">
          <h2>Rotation</h2>
          <p class="hint">Creates another key with the same settings, for your pages.</p>
        </div>
        <form class="inline" @submit=${(event: SubmitEvent) => this.#rotate(event, key)}>
          <label>
            This key keeps working
            <select name="overlap">
              ${Object.entries(overlaps).map(
                ([seconds, label]) =>
                  html`<option value=${seconds} ?selected=${seconds === '86400'}>${label}</option>`,
              )}
            </select>
          </label>
          <button ?disabled=${this.#actions.isBusy}>Rotate</button>
        </form>
      </section>
    `;
  }

  #viewOfNew() {
    return html`
      <p><a href=${this.#path}>All publishable keys</a></p>
      <h2>New publishable key</h2>
      <inlay-console-form
        .groups=${keyGroups(null)}
        .createLabel=${'Create key'}
        .save=${this.#create}
      ></inlay-console-form>
    `;
  }

  readonly #create = async (settings: object) => {
    const path = `${this.agentPath}/publishable_keys`;
    const { key } = await this.api.post<PublishableKeyResource>(path, settings);
    await this.reload();
    navigate(`${this.#path}/${encodeURIComponent(key)}`, { replace: true });
    return '';
  };

  #toggle(key: PublishableKeyResource, isDisabled: boolean) {
    const question = isDisabled
      ? null
      : `Disable ${key.key}? The open chats of its visitors end immediately.`;
    return this.#actions.perform(question, async () => {
      await this.#post(key, isDisabled ? '/enable' : '/disable');
    });
  }

  #rotate(event: SubmitEvent, key: PublishableKeyResource) {
    event.preventDefault();
    const overlap = Number(new FormData(event.target as HTMLFormElement).get('overlap'));
    const question =
      overlap === 0
        ? `Rotate ${key.key}? It stops working immediately, in all pages that have it.`
        : null;
    return this.#actions.perform(question, async () => {
      const rotated = await this.#post(key, '/rotate', { overlap_seconds: overlap });
      navigate(`${this.#path}/${encodeURIComponent(rotated.key)}`);
    });
  }

  #delete(key: PublishableKeyResource) {
    const question = `Delete ${key.key}? It stops working immediately, in all pages that have it.`;
    return this.#actions.perform(question, async () => {
      await this.api.delete(this.#apiPath(key));
      await this.reload();
      navigate(this.#path, { replace: true });
    });
  }

  #apiPath({ key }: PublishableKeyResource): string {
    return `${this.agentPath}/publishable_keys/${encodeURIComponent(key)}`;
  }

  async #post(key: PublishableKeyResource, operation: string, body: object = {}) {
    const path = this.#apiPath(key) + operation;
    const after = await this.api.post<PublishableKeyResource>(path, body);
    await this.reload();
    return after;
  }
}
