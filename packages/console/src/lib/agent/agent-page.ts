import type { AgentResource } from '@inlay/protocol';
import { Task } from '@lit/task';
import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { Actions } from '../actions.ts';
import { viewOfTime } from '../format.ts';
import { Page, revealCurrent, viewOfTask } from '../page.ts';
import { BlockedSection } from './blocked-section.ts';
import { CopyButton } from './copy-button.ts';
import { EditForm } from './edit-form.ts';
import { KeysSection } from './keys-section.ts';
import { PolicySection } from './policy-section.ts';
import type { Section } from './section.ts';
import { SettingsSection } from './settings-section.ts';
import { SiteSection } from './site-section.ts';
import { VersionsSection } from './versions-section.ts';

/** Paths of an agent and its sections, without that of the page for a new one. */
export const agentPattern =
  /^(agents\/(?!new$)[^/]+)(?:\/(?:site|versions|policy|blocked|keys(?:\/[^/]+)?))?$/;

customElements.define('inlay-console-form', EditForm);
customElements.define('inlay-console-copy', CopyButton);

const sections = [
  ['', 'Settings', 'inlay-console-agent-settings', SettingsSection],
  ['site', 'Put it on your site', 'inlay-console-agent-site', SiteSection],
  ['versions', 'Versions', 'inlay-console-agent-versions', VersionsSection],
  ['policy', 'Embed policy', 'inlay-console-agent-policy', PolicySection],
  ['keys', 'Publishable keys', 'inlay-console-agent-keys', KeysSection],
  ['blocked', 'Blocked users', 'inlay-console-agent-blocked', BlockedSection],
] as const;

for (const [, , tag, element] of sections) customElements.define(tag, element);

/** One agent. */
export class AgentPage extends Page {
  /** Undefined until it is loaded. */
  @state() private agent: AgentResource | undefined;
  /** The element of the present section. */
  #element: Section | undefined;
  readonly #actions = new Actions(this);

  readonly #task = new Task(this, {
    args: () => [this.#path],
    task: async ([path], { signal }) => {
      this.agent = await this.api.get<AgentResource>(String(path), {}, signal);
    },
  });

  get heading(): string {
    const [, label = ''] = sections.find(([name]) => name === this.#section) ?? [];
    return `${label} · Agent`;
  }

  override get parentPath(): string {
    const isInside = this.address.path.split('/').length > 3 || this.address.query.has('to');
    return isInside ? this.#pathOf(this.#section) : 'agents';
  }

  override render() {
    if (!this.agent) return viewOfTask(this.#task, () => html``);
    const { agent } = this;
    return html`
      <header>
        <div>
          <h1>${agent.name}</h1>
          <p class="hint">
            <code>${agent.short_id}</code>, version ${agent.version},
            ${agent.declared ? 'of the configuration file' : html`created ${viewOfTime(agent.created_at)}`}${
              agent.archived_at ? html`, <strong class="state failed">archived</strong>` : nothing
            }
          </p>
        </div>
        ${
          this.operator.role === 'admin'
            ? html`<div class="actions">
                <button ?disabled=${this.#actions.isBusy} @click=${this.#toggleArchived}>
                  ${agent.archived_at ? 'Restore' : 'Archive'}
                </button>
              </div>`
            : nothing
        }
      </header>
      ${this.#actions.viewOfError()}
      <nav class="sections" aria-label="Agent">
        ${sections.map(
          ([name, label]) => html`<a
            href=${this.#pathOf(name)}
            aria-current=${name === this.#section ? 'page' : nothing}
            >${label}</a
          >`,
        )}
      </nav>
      ${this.#viewOfSection(agent)}
    `;
  }

  override updated() {
    revealCurrent(this.querySelector('.sections'));
  }

  get #section(): string {
    return this.address.path.split('/')[2] ?? '';
  }

  get #path(): string {
    return this.address.path.split('/').slice(0, 2).join('/');
  }

  #pathOf(section: string): string {
    return section ? `${this.#path}/${section}` : this.#path;
  }

  /** Keeps the element of a section, with what is typed into it, while other properties change. */
  #viewOfSection(agent: AgentResource) {
    const name = this.#section;
    const [, , tag] = sections.find((section) => section[0] === name) as (typeof sections)[number];
    if (this.#element?.localName !== tag) this.#element = document.createElement(tag) as Section;
    const { api, operator, address } = this;
    Object.assign(this.#element, { agent, api, operator, address, reload: this.#reload });
    return keyed(name, this.#element);
  }

  readonly #reload = async () => {
    this.agent = await this.api.get<AgentResource>(this.#path);
    await this.updateComplete;
  };

  readonly #toggleArchived = () => {
    const { name, archived_at: archivedAt } = this.agent as AgentResource;
    const question = archivedAt
      ? null
      : `Archive ${name}? Open chats end immediately, and running answers are interrupted. Conversations are kept.`;
    return this.#actions.perform(question, async () => {
      await this.api.post(`${this.#path}/${archivedAt ? 'restore' : 'archive'}`);
      await this.#reload();
    });
  };
}
