import { html, nothing } from 'lit';
import { Actions } from '../actions.ts';
import type { FieldGroup } from './fields.ts';
import { Section } from './section.ts';

const groupsOf = (versions: readonly string[]): readonly FieldGroup[] => [
  {
    title: 'Pages',
    fields: [
      {
        pointer: '/embed/allowed_origins',
        label: 'Allowed origins',
        type: 'lines',
        hint: 'One a line: https://www.example.com, https://*.example.com for subdomains, http://localhost:* for development. Without one, no page may use the agent.',
      },
    ],
  },
  {
    title: 'Tokens',
    fields: [
      { pointer: '/embed/default_ttl_seconds', label: 'Lifetime in seconds', type: 'number' },
      {
        pointer: '/embed/max_ttl_seconds',
        label: 'Maximum lifetime in seconds',
        type: 'number',
      },
      {
        pointer: '/embed/pinned_version',
        label: 'Version',
        type: 'select',
        isNullable: true,
        options: {
          '': 'The latest',
          ...Object.fromEntries(versions.map((version) => [version, version])),
        },
        hint: 'Of new conversations, unless your backend requests another one.',
      },
      {
        pointer: '/embed/allow_agent_override',
        label: 'Your backend may replace the instructions',
        type: 'checkbox',
      },
      {
        pointer: '/embed/allow_visitor_claim',
        label: 'Users who sign in may keep the conversations that they had as a visitor',
        type: 'checkbox',
      },
    ],
  },
  {
    title: 'Budgets and limits',
    hint: 'Empty for no budget.',
    fields: [
      {
        pointer: '/embed/default_budget_cents',
        label: 'Budget of a conversation in cents',
        type: 'number',
        isNullable: true,
        hint: 'If your backend sets none.',
      },
      {
        pointer: '/embed/max_budget_cents',
        label: 'Maximum budget of a conversation in cents',
        type: 'number',
        isNullable: true,
      },
      {
        pointer: '/embed/spend_cents_per_user_per_day',
        label: 'Cents per signed-in user and day',
        type: 'number',
        isNullable: true,
        hint: 'In all conversations together, per UTC day.',
      },
      {
        pointer: '/embed/limits/requests_per_second',
        label: 'Requests per user and second',
        type: 'number',
      },
      {
        pointer: '/embed/limits/concurrent',
        label: 'Requests per user at the same time',
        type: 'number',
        hint: 'Each open chat has one all the time.',
      },
    ],
  },
];

/** The rules for the tokens of an agent. */
export class PolicySection extends Section {
  readonly heading = 'Embed policy';
  readonly #actions = new Actions(this);

  protected override render() {
    return html`
      ${this.#actions.viewOfError()}
      ${this.agent.embed ? this.#viewOfPolicy() : this.#viewOfEmpty()}
    `;
  }

  #viewOfEmpty() {
    const text = 'This agent has no embed policy, so that it cannot be used in pages.';
    if (!this.isAdmin) return html`<p class="empty">${text} An admin can create one.</p>`;
    return html`
      <div class="empty">
        <p>${text} Create one, and allow the origins of your pages.</p>
        <button class="primary" ?disabled=${this.#actions.isBusy} @click=${this.#create}>
          Create the policy
        </button>
      </div>
    `;
  }

  #viewOfPolicy() {
    return html`
      <inlay-console-form
        .groups=${groupsOf(this.agent.versions)}
        .resource=${this.agent}
        .isReadOnly=${!this.isAdmin}
        .save=${this.#save}
      ></inlay-console-form>
      ${
        this.isAdmin
          ? html`<section class="group">
              <div class="about">
                <h2>Removal</h2>
                <p class="hint">Ends the use of the agent in all pages.</p>
              </div>
              <div>
                <button class="danger" ?disabled=${this.#actions.isBusy} @click=${this.#remove}>
                  Remove the policy
                </button>
              </div>
            </section>`
          : nothing
      }
    `;
  }

  readonly #save = async (changes: object) => {
    await this.change(changes);
    return 'Saved. It applies to tokens that are issued from now on.';
  };

  readonly #create = () => this.#actions.perform(null, () => this.change({ embed: {} }));

  readonly #remove = () =>
    this.#actions.perform(
      `Remove the embed policy of ${this.agent.name}? No more tokens are issued for it.`,
      () => this.change({ embed: null }),
    );
}
