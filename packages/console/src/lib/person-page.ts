import type { EndUserRecord, Erasure } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html, nothing } from 'lit';
import { Actions } from './actions.ts';
import { addressOf, navigate } from './address.ts';
import { formatCents, formatCount, viewOfTime } from './format.ts';
import { Page, viewOfTask } from './page.ts';
import { saveFile } from './save-file.ts';

/** One user of an agent: stored data, access, export and erasure. */
export class PersonPage extends Page {
  readonly heading = 'Person';
  readonly #actions = new Actions(this);

  readonly #task = new Task(this, {
    args: () => [this.#path],
    task: ([path], { signal }) => this.api.get<EndUserRecord>(String(path), {}, signal),
  });

  override render() {
    return viewOfTask(this.#task, (person) => {
      const { external_user_id: id, blocked } = person;
      const isAdmin = this.operator.role === 'admin';
      return html`
        <header>
          <h1>${id}</h1>
          ${
            isAdmin
              ? html`<div class="actions">
                  <button ?disabled=${this.#actions.isBusy} @click=${() => this.#toggleBlock(person)}>
                    ${blocked ? 'Unblock' : 'Block'}
                  </button>
                  <button ?disabled=${this.#actions.isBusy} @click=${() => this.#export(person)}>
                    Export data
                  </button>
                  <button class="danger" ?disabled=${this.#actions.isBusy} @click=${() => this.#erase(person)}>
                    Erase data
                  </button>
                </div>`
              : nothing
          }
        </header>
        ${this.#actions.viewOfError()}
        <dl>
          <dt>Access</dt>
          <dd>${blocked ? 'Blocked' : 'Allowed'}${person.anonymous ? ', a visitor' : ''}</dd>
          <dt>Conversations</dt>
          <dd>
            <a href=${addressOf('conversations', { external_user_id: id })}
              >${formatCount(person.sessions)}</a
            >
          </dd>
          <dt>Cost</dt>
          <dd>${formatCents(person.spent_cents)}</dd>
          <dt>Valid tokens</dt>
          <dd>
            <a href=${addressOf('tokens', { external_user_id: id })}
              >${formatCount(person.live_tokens)}</a
            >
          </dd>
          <dt>First seen</dt>
          <dd>${viewOfTime(person.first_seen_at)}</dd>
          <dt>Last seen</dt>
          <dd>${viewOfTime(person.last_seen_at)}</dd>
        </dl>
      `;
    });
  }

  /** Path of the person in the API; its segments are encoded as in the address. */
  get #path(): string {
    const [, agent, id] = this.address.path.split('/');
    return `agents/${agent}/end_users/${id}`;
  }

  #toggleBlock({ blocked, external_user_id: id }: EndUserRecord) {
    const question = blocked
      ? `Unblock ${id}? New tokens can be issued again.`
      : `Block ${id}? All open chats of this user end immediately.`;
    return this.#actions.perform(question, async () => {
      await this.api.post(`${this.#path}/${blocked ? 'unblock' : 'block'}`);
      await this.#task.run();
    });
  }

  #export({ external_user_id: id }: EndUserRecord) {
    return this.#actions.perform(null, async () => {
      saveFile(await this.api.postForFile(`${this.#path}/export`), `${id}.zip`);
    });
  }

  #erase({ external_user_id: id }: EndUserRecord) {
    const question = `Erase everything that the platform has of ${id}: conversations, files, ratings and tokens? This cannot be undone.`;
    return this.#actions.perform(question, async () => {
      const { deleted } = await this.api.post<Erasure>(`${this.#path}/erase`);
      alert(`Erased: ${deleted.sessions} conversations, ${deleted.files} files.`);
      navigate('people', { replace: true });
    });
  }
}
