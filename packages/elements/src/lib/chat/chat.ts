import type { AgentEntry, DiagnoseOptions, DiagnosisReport } from '@inlay/client';
import { html, nothing, type PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import { emit, type InlayRequestDetails } from '../events.ts';
import { format } from '../i18n/format.ts';
import { type Strings, withStrings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { viewOf, writingIn } from '../status/auth-views.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './chat.styles.ts';
import { ChatController } from './chat-controller.ts';
import { ChatOptions } from './chat-options.ts';
import { spoken } from './spoken.ts';

/** Answers to the requests of the inner elements. False prevents the request. */
type Answers = {
  [Name in keyof InlayRequestDetails]: (detail: InlayRequestDetails[Name]) => unknown;
};

/**
 * @summary A conversation with an agent, as large as its container.
 *
 * Give it `base-url`, and who talks: `token-url`, the address of your backend's token endpoint, or
 * the property `getToken`, for people who are signed in; `publishable-key` for everybody. What is
 * missing is said in the element and by `inlay-error`. Where the endpoint answers that nobody is
 * signed in, the element says so, and `reset()` begins anew once somebody is.
 *
 * @slot header - Replaces the agent's name and description.
 * @slot actions - Buttons at the end of the header.
 * @slot empty - Replaces the greeting and the suggestions.
 * @slot footer - Below the composer.
 *
 * @fires inlay-ready - The agent's settings are there.
 * @fires inlay-auth-change - Whether the person may talk has changed.
 * @fires inlay-message-request - A message is about to be sent. Prevent it to keep it back.
 * @fires inlay-message-sent - A message is in the conversation.
 * @fires inlay-answer - An answer is complete.
 * @fires inlay-error - Something failed that the person is told of.
 * @fires inlay-diagnostic - What a monitoring tool may want to know. Never a secret.
 * @fires inlay-new-conversation - A new conversation was begun.
 *
 * @csspart root - Everything.
 * @csspart header - The line at the top.
 * @csspart foot - What stands below the conversation.
 * @csspart scroller - What scrolls.
 * @csspart bubble - What the person said.
 * @csspart answer - What the agent said.
 * @csspart actions - The buttons below an answer.
 * @csspart jump - The button that leads back to the end.
 * @csspart greeting - The first line of an empty conversation.
 * @csspart starter - A suggestion.
 * @csspart banner - The box that says why the person can't talk.
 * @csspart form - The composer's box.
 * @csspart field - The composer's text field.
 * @csspart send - The button that sends.
 * @csspart stop - The button that stops the answer.
 * @csspart disclaimer - The line below the composer.
 */
export class InlayChat extends ChatOptions {
  static override styles = [base, buttons, styles];

  #words: Strings = withStrings(null);

  readonly #chat = new ChatController(this, {
    settings: () => this,
    firstSession: () => this.sessionId || null,
    resumes: () => !this.noResume,
    onRequest: (text) => emit(this, 'inlay-message-request', { text }),
    onSent: (text) => emit(this, 'inlay-message-sent', { text, sessionId: this.currentSessionId }),
    onChange: () => {
      this.announcement = '';
    },
    onAuthChange: ({ status }) => emit(this, 'inlay-auth-change', { status }),
    onConfig: ({ agent, token }) =>
      emit(this, 'inlay-ready', { agent: agent.name, externalUserId: token.external_user_id }),
    onAnswer: (entry) => this.#handleAnswer(entry),
    onRun: () => this.#announce(format(this.#words.answering, { agent: this.#agentName })),
    onError: ({ code, message }) => emit(this, 'inlay-error', { code, message }),
    onDiagnostic: (diagnostic) => emit(this, 'inlay-diagnostic', diagnostic),
  });

  readonly #answers: Answers = {
    'inlay-draft': ({ value }) => {
      this.#chat.draft = value;
    },
    'inlay-submit': ({ text }) => this.#send(text) !== null,
    'inlay-stop': () => this.stop(),
    'inlay-retry': ({ key }) => this.#chat.retry(key),
    'inlay-discard': ({ key }) => this.#chat.discard(key),
    'inlay-retry-last': () => this.#chat.retryLast(),
    'inlay-rate': ({ key, rating }) => this.#chat.rate(key, rating),
    'inlay-decide': ({ key, result, reason }) => this.#chat.decide(key, result, reason),
    'inlay-reconnect': () => this.reconnect(),
    'inlay-start-over': () => this.newConversation(),
    'inlay-announce': ({ text }) => this.#announce(text),
  };

  /** What is told to those who hear the page. */
  @state() private announcement = '';

  /** The id of the conversation on screen; null while it has none. */
  get currentSessionId(): string | null {
    return this.#chat.sessionId;
  }

  /**
   * Sends a message as the person. True once it is in the conversation; false when it was
   * prevented, could not be sent, or failed. It then stands in the conversation as failed.
   */
  async sendMessage(text: string): Promise<boolean> {
    return (await this.#send(text.trim())) ?? false;
  }

  /** Begins a new conversation. The former one stays on the platform. */
  newConversation(): void {
    if (!this.#chat.open(null)) return;
    emit(this, 'inlay-new-conversation', {});
    // A budget is that of one conversation: whether the next one has any is worth asking.
    if (this.#chat.status === 'over_budget') void this.reconnect();
    this.focusComposer();
  }

  focusComposer(): void {
    this.renderRoot.querySelector('inlay-composer')?.focus({ preventScroll: true });
  }

  /** Asks for a token once more. What stands in the way is shown, and told by `inlay-error`. */
  async reconnect(): Promise<void> {
    if (await this.#chat.reconnect()) this.focusComposer();
  }

  /**
   * Another person uses the page now: forgets the one before, the token, the conversation and what
   * stood in the composer, at once. `getToken` is then called with null.
   */
  reset(): void {
    this.#chat.reset();
  }

  /** Stops the answer that is being made. */
  stop(): void {
    this.#chat.conversation.current?.stop();
  }

  /**
   * Looks for what keeps the chat from working on this page, one check after another: platform,
   * token, clock, origin, CORS, Content Security Policy, streaming, storage. For developers; the
   * report says of each what is wrong and what to do, and holds no secret.
   */
  diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport> {
    return this.#chat.client.diagnose(options);
  }

  protected override createRenderRoot() {
    const root = super.createRenderRoot();
    for (const [name, answer] of Object.entries(this.#answers)) {
      root.addEventListener(name, (event) => {
        event.stopPropagation();
        const { detail } = event as CustomEvent;
        if ((answer as (detail: unknown) => unknown)(detail) === false) event.preventDefault();
      });
    }
    return root;
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('strings')) this.#words = withStrings(this.strings);
    const sessionId = this.sessionId || null;
    if (changed.has('sessionId') && sessionId !== this.currentSessionId) this.#chat.open(sessionId);
  }

  protected override updated() {
    const root = this.renderRoot.querySelector<HTMLElement>('.root');
    const theme = this.#chat.client.config?.theme;
    const scheme = this.colorScheme || theme?.color_scheme || 'auto';
    root?.style.setProperty('color-scheme', scheme === 'auto' ? 'light dark' : scheme);
    const accent = theme?.accent ?? '';
    root?.style.setProperty('--inlay-agent-accent', CSS.supports('color', accent) ? accent : '');
  }

  /** Whether the person may not even come in: then that is all there is to say. */
  get #barred(): boolean {
    const { client, conversation, status } = this.#chat;
    return !client.config && !conversation.state?.entries.length && viewOf(status) !== null;
  }

  get #agentName(): string {
    return this.heading || this.#chat.client.config?.agent.name || this.#words.agent;
  }

  #send(text: string): Promise<boolean> | null {
    const sent = this.#chat.send(text);
    if (sent !== null) this.renderRoot.querySelector('inlay-message-list')?.scrollToEnd();
    return sent;
  }

  #handleAnswer({ id, text, progress }: AgentEntry) {
    if (progress === 'streaming') return;
    const agent = this.#agentName;
    this.#announce(format(this.#words.announceAnswer, { agent, text: spoken(text) }));
    emit(this, 'inlay-answer', { id, text, progress, sessionId: this.currentSessionId });
  }

  #announce(text: string) {
    // The same words again are only announced when the region has changed in between.
    this.announcement = this.announcement === text ? `${text}\u00a0` : text;
  }

  #renderHeader() {
    const { config, error, setupError } = this.#chat.client;
    const words = this.#words;
    const waits = !config && !this.heading && !error && !setupError && !this.#barred;
    const begun = (this.#chat.conversation.state?.entries.length ?? 0) > 0;
    const description = config?.agent.description;
    return html`<header part="header">
      <div class="title">
        <slot name="header">
          ${
            waits
              ? html`<div class="skeleton"></div>`
              : html`<h2><bdi>${this.#agentName}</bdi></h2>`
          }
          ${description ? html`<p class="description"><bdi>${description}</bdi></p>` : nothing}
        </slot>
      </div>
      <button
        class="icon-button"
        aria-label=${words.newConversation}
        title=${words.newConversation}
        ?disabled=${!begun}
        @click=${this.newConversation}
      >
        ${icons.compose}
      </button>
      <slot name="actions"></slot>
    </header>`;
  }

  #renderFailure(title: string, text: string, retry: (() => void) | null) {
    return html`<div class="failure" role="alert">
      ${icons.alert}
      <h3><bdi>${title}</bdi></h3>
      <p><bdi>${text}</bdi></p>
      ${
        retry
          ? html`<button class="button" @click=${retry}>${icons.retry} ${this.#words.retry}</button>`
          : nothing
      }
    </div>`;
  }

  #renderEmpty() {
    const { config, error, auth } = this.#chat.client;
    const words = this.#words;
    if (config || (!error && auth.status === 'ok') || auth.status === 'refreshing') {
      return html`<inlay-welcome
        exportparts="greeting, starter"
        .strings=${words}
        .loading=${!config}
        .greeting=${config?.greeting ?? ''}
        .starters=${config?.starter_prompts ?? []}
        .disabled=${writingIn(this.#chat.status) !== 'open'}
      ></inlay-welcome>`;
    }
    if (!error || this.#barred) return nothing;
    return this.#renderFailure(words.loadFailedTitle, words.loadFailedText, () =>
      this.#chat.client.load(),
    );
  }

  #renderFoot() {
    const { config, auth } = this.#chat.client;
    const words = this.#words;
    const writing = writingIn(this.#chat.status);
    return html`<div class="foot ${this.#barred ? 'barred' : ''}" part="foot">
      <inlay-status
        exportparts="banner"
        .status=${this.#chat.status}
        .canReconnect=${auth.canReconnect}
        .draft=${this.#chat.draft !== ''}
        .busy=${this.#chat.reconnecting}
        .strings=${words}
      ></inlay-status>
      <inlay-composer
        exportparts="form, field, send, stop, disclaimer"
        .value=${this.#chat.draft}
        .placeholder=${
          this.placeholder ||
          (config ? format(words.placeholderAgent, { agent: this.#agentName }) : words.placeholder)
        }
        .disclaimer=${config?.disclaimer ?? ''}
        .running=${this.#chat.running}
        .held=${writing === 'held'}
        .readOnly=${writing === 'closed'}
        .strings=${words}
      ></inlay-composer>
      <slot name="footer"></slot>
    </div>`;
  }

  #renderConversation() {
    const { config } = this.#chat.client;
    const conversation = this.#chat.conversation.state;
    return html`
      <inlay-message-list
        exportparts="scroller, jump, bubble, answer, actions"
        ?hidden=${this.#barred}
        .entries=${conversation?.entries ?? none}
        .running=${this.#chat.running}
        .loading=${this.#chat.resuming || (conversation?.loading ?? false)}
        .rateable=${config?.features.feedback ?? false}
        .imageOrigins=${config?.image_origins ?? none}
        .locked=${writingIn(this.#chat.status) !== 'open'}
        .agentName=${this.#agentName}
        .strings=${this.#words}
      >
        <slot name="empty" slot="empty">${this.#renderEmpty()}</slot>
      </inlay-message-list>
      ${this.#renderFoot()}
    `;
  }

  protected override render() {
    const { setupError } = this.#chat.client;
    const words = this.#words;
    return html`<section
      class="root"
      part="root"
      aria-label=${format(words.chatWith, { agent: this.#agentName })}
    >
      ${this.#renderHeader()}
      ${
        setupError
          ? this.#renderFailure(words.setupTitle, setupError.message, null)
          : this.#renderConversation()
      }
      <div class="visually-hidden" role="status">${this.announcement}</div>
    </section>`;
  }
}

const none: readonly never[] = [];

declare global {
  interface HTMLElementTagNameMap {
    'inlay-chat': InlayChat;
  }
}
