import { html, LitElement, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { AccountPage } from './account-page.ts';
import { type Address, followLinks, navigate, readAddress } from './address.ts';
import { AgentPage, agentPattern } from './agent/agent-page.ts';
import { NewAgentPage } from './agent/new-agent-page.ts';
import { AgentsPage } from './agents-page.ts';
import { Api, type Operator } from './api.ts';
import { ApiKeysPage } from './api-keys-page.ts';
import { AuditPage } from './audit-page.ts';
import { ConversationPage } from './conversation-page.ts';
import { ConversationsPage } from './conversations-page.ts';
import { FeedbackPage } from './feedback-page.ts';
import { handleListKeys } from './list-keys.ts';
import { OperatorsPage } from './operators-page.ts';
import { OverviewPage } from './overview-page.ts';
import { type Page, revealCurrent } from './page.ts';
import { PeoplePage } from './people-page.ts';
import { PersonPage } from './person-page.ts';
import { SignInPage } from './sign-in-page.ts';
import { TokensPage } from './tokens-page.ts';
import { UsagePage } from './usage-page.ts';
import { WebhookPage } from './webhook-page.ts';
import { WebhooksPage } from './webhooks-page.ts';

/**
 * The pages, with the paths that they are at, relative to the first page. Paths with the same first group
 * share one element.
 */
const pages = [
  { pattern: /^(overview)?$/, tag: 'inlay-console-overview', element: OverviewPage },
  { pattern: /^usage$/, tag: 'inlay-console-usage', element: UsagePage },
  { pattern: /^people$/, tag: 'inlay-console-people', element: PeoplePage },
  { pattern: /^people\/[^/]+\/[^/]+$/, tag: 'inlay-console-person', element: PersonPage },
  { pattern: /^agents$/, tag: 'inlay-console-agents', element: AgentsPage },
  { pattern: /^agents\/new$/, tag: 'inlay-console-new-agent', element: NewAgentPage },
  { pattern: agentPattern, tag: 'inlay-console-agent', element: AgentPage },
  { pattern: /^audit$/, tag: 'inlay-console-audit', element: AuditPage },
  { pattern: /^conversations$/, tag: 'inlay-console-conversations', element: ConversationsPage },
  {
    pattern: /^conversations\/[^/]+$/,
    tag: 'inlay-console-conversation',
    element: ConversationPage,
  },
  { pattern: /^feedback$/, tag: 'inlay-console-feedback', element: FeedbackPage },
  { pattern: /^tokens$/, tag: 'inlay-console-tokens', element: TokensPage },
  { pattern: /^webhooks$/, tag: 'inlay-console-webhooks', element: WebhooksPage },
  { pattern: /^webhooks\/[^/]+$/, tag: 'inlay-console-webhook', element: WebhookPage },
  { pattern: /^api-keys$/, tag: 'inlay-console-api-keys', element: ApiKeysPage },
  { pattern: /^operators$/, tag: 'inlay-console-operators', element: OperatorsPage },
  { pattern: /^account$/, tag: 'inlay-console-account', element: AccountPage },
] as const;

const links = [
  ['overview', 'Overview'],
  ['usage', 'Usage'],
  ['conversations', 'Conversations'],
  ['feedback', 'Feedback'],
  ['people', 'People'],
  ['agents', 'Agents'],
  ['tokens', 'Tokens'],
  ['audit', 'Audit'],
  ['webhooks', 'Webhooks'],
  ['api-keys', 'API keys'],
  ['operators', 'Operators'],
] as const;

/** Paths of the pages that only admins can see. */
const adminPaths: readonly string[] = ['api-keys', 'operators'];

for (const { tag, element } of pages) customElements.define(tag, element);
customElements.define('inlay-console-sign-in', SignInPage);

/** The console: its navigation, and the page of the address. */
export class InlayConsole extends LitElement {
  /** Undefined until the platform has responded; null without a session. */
  @state() private operator: Operator | null | undefined;
  @state() private address = readAddress();
  @state() private error = '';
  /** The element of the present page, and the path or part of it that the element is for. */
  #page: { key: string; element: Page } | null = null;
  readonly #api = new Api(() => this.#setOperator(null));

  override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    addEventListener('popstate', this.#handleAddress);
    this.addEventListener('click', followLinks);
    addEventListener('keydown', this.#handleKey);
    void this.#findOperator();
  }

  override render() {
    const { operator } = this;
    if (operator === undefined) {
      return html`<main class="sign-in" aria-busy=${this.error === ''}>
        ${
          this.error
            ? html`<div class="failure" role="alert">
                <p>${this.error}</p>
                <button @click=${this.#findOperator}>Try again</button>
              </div>`
            : nothing
        }
      </main>`;
    }
    if (operator === null) {
      return html`<inlay-console-sign-in
        .api=${this.#api}
        .onSignedIn=${(signedIn: Operator) => this.#setOperator(signedIn)}
      ></inlay-console-sign-in>`;
    }
    return html`
      <a class="skip" href="#main" @click=${this.#skip}>Skip to the content</a>
      <nav class="bar" aria-label="Console">
        <span class="brand">Inlay</span>
        ${links
          .filter(([path]) => operator.role === 'admin' || !adminPaths.includes(path))
          .map(
            ([path, label]) => html`<a
            href=${path}
            aria-current=${this.#isCurrent(path) ? 'page' : nothing}
            >${label}</a
          >`,
          )}
        <a
          class="account"
          href="account"
          aria-current=${this.address.path === 'account' ? 'page' : nothing}
          >${operator.name}</a
        >
      </nav>
      <main id="main" tabindex="-1">
        ${
          operator.has_password || operator.has_account || this.address.path === 'account'
            ? nothing
            : html`<p class="notice">
                You signed in with a link that works once. To sign in again,${' '}
                <a href="account">set a password</a>.
              </p>`
        }
        ${this.#viewOfPage(operator)}
      </main>
    `;
  }

  override updated() {
    revealCurrent(this.querySelector('.bar'));
    const heading = this.operator ? this.#page?.element.heading : 'Sign in';
    // On a phone, the links do not fit next to each other.
    this.querySelector('.bar [aria-current]')?.scrollIntoView({
      block: 'nearest',
      inline: 'center',
    });
    document.title = heading ? `${heading} · Inlay console` : 'Inlay console';
  }

  /** Keeps the element of a page while only its query changes. */
  #viewOfPage(operator: Operator) {
    const { path } = this.address;
    const found = pages.find(({ pattern }) => pattern.test(path));
    if (!found) {
      this.#page = null;
      return html`<header><h1>Not found</h1></header>
        <p>There is no such page. <a href="conversations">All conversations</a></p>`;
    }
    const key = found.pattern.exec(path)?.[1] ?? path;
    if (this.#page?.key !== key) {
      this.#page = { key, element: document.createElement(found.tag) as Page };
    }
    const { element } = this.#page;
    Object.assign(element, { api: this.#api, operator, address: this.address });
    return keyed(key, element);
  }

  #isCurrent(path: string): boolean {
    const [first = ''] = this.address.path.split('/');
    return (first || 'overview') === path;
  }

  #setOperator(operator: Operator | null) {
    this.#page = null;
    this.operator = operator;
  }

  readonly #findOperator = async () => {
    this.error = '';
    try {
      // A sign-in link replaces the session of this browser.
      this.operator = location.hash.startsWith('#link=') ? null : await this.#api.operator();
    } catch (error) {
      this.error = (error as Error).message;
    }
  };

  readonly #handleAddress = () => {
    const previous: Address = this.address;
    this.address = readAddress();
    if (previous.path !== this.address.path) {
      void this.updateComplete.then(() => {
        scrollTo(0, 0);
        this.querySelector<HTMLElement>('#main')?.focus();
      });
    }
  };

  readonly #handleKey = (event: KeyboardEvent) => {
    if (!this.operator) return;
    handleListKeys(event);
    const parent = this.#page?.element.parentPath;
    if (event.key === 'Escape' && !event.defaultPrevented && parent) navigate(parent);
  };

  readonly #skip = (event: Event) => {
    event.preventDefault();
    this.querySelector<HTMLElement>('#main')?.focus();
  };

  constructor() {
    super();
    this.addEventListener('operator-change', (event) => {
      this.operator = (event as CustomEvent<Operator>).detail;
    });
  }
}
