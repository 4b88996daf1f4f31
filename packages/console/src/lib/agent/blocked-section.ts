import type { AgentResource, BlockedEndUser } from '@inlay/protocol';
import { html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { Actions } from '../actions.ts';
import { addressOf } from '../address.ts';
import type { Filter } from '../filters.ts';
import { viewOfTime } from '../format.ts';
import { ListPage, viewOfTable } from '../list-page.ts';
import { pathOfAgent } from './section.ts';

const sources: Readonly<Record<string, string>> = {
  configuration: 'Settings',
  operation: 'Console or API',
};

/** The users who get no tokens of an agent. */
export class BlockedSection extends ListPage<BlockedEndUser> {
  @property({ attribute: false }) agent!: AgentResource;
  readonly heading = 'Blocked users';
  protected readonly items = 'users';
  protected readonly filters: readonly Filter[] = [];
  readonly #actions = new Actions(this);

  protected get path() {
    return `${pathOfAgent(this.agent)}/blocked`;
  }

  protected get source() {
    return `${pathOfAgent(this.agent)}/blocked_end_users`;
  }

  protected get emptyText() {
    return this.#isAdmin
      ? 'Nobody is blocked. Block a user by the id that your backend gave the token, or on the page of the person.'
      : 'Nobody is blocked. An admin can block users.';
  }

  get #isAdmin() {
    return this.operator.role === 'admin';
  }

  protected override viewOfHeader() {
    return html`
      <p class="hint">
        Blocked users get no tokens. Their open chats end at once, and their answers are interrupted.
      </p>
      ${
        this.#isAdmin
          ? html`<form class="inline" @submit=${this.#block}>
              <label>
                User id
                <input name="id" required maxlength="128" autocomplete="off" spellcheck="false" />
              </label>
              <button ?disabled=${this.#actions.isBusy}>Block</button>
            </form>`
          : nothing
      }
      ${this.#actions.viewOfError()}
    `;
  }

  protected viewOfItems(users: readonly BlockedEndUser[]) {
    return viewOfTable(
      ['User', 'By', { number: 'Blocked' }, ...(this.#isAdmin ? ['Actions'] : [])],
      users.map((user) => this.#viewOfRow(user)),
    );
  }

  #viewOfRow({ external_user_id: id, source, blocked_at: blockedAt }: BlockedEndUser) {
    // A person page exists only for users who have written.
    const conversations = addressOf('conversations', {
      external_user_id: id,
      agent_id: this.agent.id,
    });
    return html`
      <tr>
        <td><a data-row href=${conversations}>${id}</a></td>
        <td data-label="By">${sources[source] ?? source}</td>
        <td data-label="Blocked" class="number">${viewOfTime(blockedAt)}</td>
        ${
          this.#isAdmin
            ? html`<td>
                <button ?disabled=${this.#actions.isBusy} @click=${() => this.#unblock(id)}>
                  Unblock
                </button>
              </td>`
            : nothing
        }
      </tr>
    `;
  }

  readonly #block = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const id = String(new FormData(form).get('id')).trim();
    return this.#actions.perform(
      `Block ${id}? All open chats of this user end immediately.`,
      async () => {
        await this.#change(id, 'block');
        form.reset();
      },
    );
  };

  #unblock(id: string) {
    return this.#actions.perform(`Unblock ${id}? New tokens can be issued again.`, () =>
      this.#change(id, 'unblock'),
    );
  }

  async #change(id: string, operation: 'block' | 'unblock') {
    const user = `end_users/${encodeURIComponent(id)}`;
    await this.api.post(`${pathOfAgent(this.agent)}/${user}/${operation}`);
    await this.list.run();
  }
}
