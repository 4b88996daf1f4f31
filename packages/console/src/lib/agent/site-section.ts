import type { PublishableKeyResource } from '@inlay/protocol';
import { html, nothing } from 'lit';
import { Actions } from '../actions.ts';
import { viewOfFilterForm } from '../filters.ts';
import { Section } from './section.ts';
import { snippetsOf } from './snippets.ts';

/** Value of `key` for users who are signed in. */
const signedIn = 'none';

/** How to put an agent on a site: the code for each way, and a preview. */
export class SiteSection extends Section {
  readonly heading = 'Put it on your site';
  readonly #actions = new Actions(this);

  protected override render() {
    const { agent } = this;
    if (agent.archived_at !== null) {
      return html`<p class="empty">
        This agent is archived. ${this.isAdmin ? 'Restore it first.' : 'An admin can restore it.'}
      </p>`;
    }
    if (!agent.embed) {
      return html`<p class="empty">
        This agent has no <a href="${this.agentPath}/policy">embed policy</a>, so that it cannot be used in
        pages.
      </p>`;
    }
    const key = this.#key;
    const options = {
      ...Object.fromEntries(
        this.#keys.map(({ key, name }) => [key, `Visitors, with ${name ?? key}`]),
      ),
      [signedIn]: 'Users who are signed in',
    };
    const snippets = snippetsOf({
      agent: agent.short_id,
      baseUrl: this.api.baseUrl,
      key: key?.key ?? null,
    });
    return html`
      <div class="toolbar">
      <div class="filters">${viewOfFilterForm(
        `${this.agentPath}/site`,
        [{ name: 'key', label: 'For', options, isRequired: true }],
        new URLSearchParams({ key: key?.key ?? signedIn }),
      )}</div>
      ${
        this.isAdmin
          ? html`<button ?disabled=${this.#actions.isBusy} @click=${this.#preview}>
              Open a preview
            </button>`
          : nothing
      }
      </div>
      ${this.#actions.viewOfError()}
      ${this.#viewOfOrigins(key)}
      ${snippets.map(
        ({ title, hint, files }) => html`
          <section class="group">
            <div class="about">
              <h2>${title}</h2>
              <p class="hint">${hint}</p>
            </div>
            <div class="fields">
              ${files.map(
                ({ name, code }) => html`
                  <figure class="snippet">
                    <figcaption>${name}</figcaption>
                    <inlay-console-copy .text=${code} .label=${`${title}, ${name}`}></inlay-console-copy>
                    <pre tabindex="0" aria-label=${`${title}, ${name}`} role="region"><code>${code}</code></pre>
                  </figure>
                `,
              )}
            </div>
          </section>
        `,
      )}
    `;
  }

  /** The keys that work. */
  get #keys(): readonly PublishableKeyResource[] {
    return this.agent.publishable_keys.filter(
      ({ status }) => status === 'active' || status === 'ending',
    );
  }

  get #key(): PublishableKeyResource | null {
    const name = this.address.query.get('key');
    if (name === signedIn) return null;
    return this.#keys.find(({ key }) => key === name) ?? this.#keys[0] ?? null;
  }

  #viewOfOrigins(key: PublishableKeyResource | null) {
    const origins = key?.allowed_origins ?? this.agent.embed?.allowed_origins ?? [];
    const policy = html`<a href="${this.agentPath}/policy">embed policy</a>`;
    return origins.length === 0
      ? html`<p class="notice">
          No page may use this agent yet. Add the origin of your site to its ${policy}.
        </p>`
      : html`<p class="hint">
          It works on pages of ${origins.join(', ')}, as the ${policy} says.
        </p>`;
  }

  /** Opens the hosted page as the user `operator:<name>`. */
  readonly #preview = () => {
    // Opened before the request, because browsers block windows that no click has opened.
    const preview = open('', '_blank');
    return this.#actions.perform(null, async () => {
      try {
        const { hosted_url: address } = await this.api.post<{ hosted_url: string }>(
          'embed_tokens',
          {
            agent: this.agent.id,
            external_user_id: `operator:${this.operator.name.replace(/[^\w.@-]/gu, '_')}`,
            hosted: true,
          },
        );
        if (!preview)
          throw new Error('The browser has blocked the window. Allow it, and try again.');
        preview.opener = null;
        preview.location.replace(address);
      } catch (error) {
        preview?.close();
        throw error;
      }
    });
  };
}
