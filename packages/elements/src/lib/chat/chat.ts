import type { AgentEntry, DiagnoseOptions, DiagnosisReport } from '@inlay/client';
import { nothing, type PropertyValues } from 'lit';
import { Announcer } from '../announcer/announcer.ts';
import { DropController } from '../attachments/drop-controller.ts';
import type { InlayComposer } from '../composer/composer.ts';
import { ConsentController } from '../consent/consent-controller.ts';
import { nextTask } from '../controllers/after-paint.ts';
import { FocusKeeper } from '../controllers/focus-keeper.ts';
import { LanguageController } from '../controllers/language-controller.ts';
import { emit } from '../events.ts';
import { retryImport } from '../retry-import.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { SchemeController } from '../theme/scheme-controller.ts';
import { styles } from './chat.styles.ts';
import { ChatController } from './chat-controller.ts';
import { ChatOptions } from './chat-options.ts';
import { panels } from './chat-panels.styles.ts';
import { agentNameOf, type ChatView, chatView } from './chat-view.ts';
import { emitConversationLoad } from './conversation-load.ts';
import type { DataRightsContext } from './data-rights.ts';
import { entryRequestHandlers } from './entry-request-handlers.ts';
import { LazyElementsController } from './lazy-elements-controller.ts';
import { LostFocusController } from './lost-focus-controller.ts';
import { PanelsController } from './panels-controller.ts';
import { handleRequests, type RequestHandlers } from './requests.ts';
import { attachmentPolicy, consentQuestion } from './settings.ts';
import { stopKeyPropagation } from './stop-key-propagation.ts';

/**
 * @summary A conversation with an agent, as large as its container.
 *
 * Set `base-url` and a source of tokens: `token-url`, the URL of your backend's token endpoint, or
 * the property `getToken`, for signed-in users; `publishable-key` for anonymous visitors. A missing
 * option is reported in the element and by `inlay-error`. If the endpoint responds that no user is
 * signed in, the element says so; call `reset()` after the user has signed in.
 *
 * @slot avatar - A picture of the agent, before its name.
 * @slot header - Replaces the agent's name and description.
 * @slot actions - Buttons at the end of the header.
 * @slot empty - Replaces the greeting and the suggestions.
 * @slot footer - Below the composer.
 *
 * @fires inlay-ready - The agent's settings were loaded.
 * @fires inlay-auth-change - The authentication status changed.
 * @fires inlay-message-request - A message is about to be sent. Prevent it to cancel sending.
 * @fires inlay-message - A message was added to the conversation.
 * @fires inlay-answer - An agent message is complete.
 * @fires inlay-error - An error that the user sees occurred.
 * @fires inlay-diagnostic - A diagnostic record for monitoring. It never contains a secret.
 * @fires inlay-conversation-request - Another conversation is about to be shown. Prevent it to stay.
 * @fires inlay-conversation - Another conversation or a new one is shown.
 * @fires inlay-conversation-load - The history of an existing conversation is shown.
 * @fires inlay-rating-request - A rating is about to be sent. Prevent it to cancel.
 * @fires inlay-rating - An agent message was rated.
 * @fires inlay-decision-request - A tool call is about to be allowed or denied. Prevent it to cancel.
 * @fires inlay-decision - A tool call was allowed or denied.
 * @fires inlay-link-request - A link in an agent message is about to be opened. Prevent it to cancel.
 * @fires inlay-link - A link in an agent message was opened.
 * @fires inlay-copy - A code block of an agent message was copied.
 * @fires inlay-card-request - The reply to a card is about to be sent. Prevent it to cancel.
 * @fires inlay-card - The reply to a card was sent.
 * @fires inlay-tool-request - A client tool is about to run. Prevent it to decline the call.
 * @fires inlay-tool - A client tool has returned or failed.
 * @fires inlay-command - The user chose a slash command of the page.
 * @fires inlay-mode - The user chose a mode.
 * @fires inlay-export-request - The conversation is about to be exported. Prevent it to cancel.
 * @fires inlay-export - The conversation was exported.
 * @fires inlay-delete-request - A conversation is about to be deleted. Prevent it to cancel.
 * @fires inlay-delete - A conversation was deleted.
 * @fires inlay-forget-request - All data of the user is about to be deleted. Prevent it to cancel.
 * @fires inlay-forget - All data of the user was deleted.
 * @fires inlay-consent-request - The user is about to give consent. Prevent it to cancel.
 * @fires inlay-consent - The user gave consent.
 *
 * @csspart base - The root element.
 * @csspart title-bar - The title bar.
 * @csspart input-area - The area below the conversation.
 * @csspart message-list__scroller - The scroll container of the messages.
 * @csspart message-list__jump - The button that scrolls to the end.
 * @csspart message-list__date-separator - The separator above the messages of another day.
 * @csspart message-list__unread-separator - The separator above the first unread message.
 * @csspart message-list__shortcuts-hint - Keyboard shortcut hint, shown while the message list has focus.
 * @csspart user-message__bubble - The text of a user message.
 * @csspart user-message__files - The files of a user message.
 * @csspart user-message__delivery - The delivery status of a user message.
 * @csspart user-actions__versions - The switch between versions of a message.
 * @csspart agent-message__content - The content of an agent message.
 * @csspart markdown__code - A code block.
 * @csspart markdown__inline-code - Inline code.
 * @csspart markdown__link - A link.
 * @csspart markdown__table - A table.
 * @csspart markdown__image - An image.
 * @csspart markdown__sources - The list of sources.
 * @csspart answer-actions__base - The buttons below an agent message.
 * @csspart user-actions__base - The buttons below a user message.
 * @csspart answer-actions__action - A custom button below an agent message.
 * @csspart user-actions__action - A custom button below a user message.
 * @csspart feedback__base - The feedback form.
 * @csspart answer-actions__quote - The quote button below a text selection.
 * @csspart thinking__summary - The summary that expands the agent's thinking.
 * @csspart tool-call__base - A tool call.
 * @csspart card__base - A card.
 * @csspart notice__base - The notice of an error.
 * @csspart welcome__greeting - The greeting of an empty conversation.
 * @csspart welcome__suggestion - A starter suggestion.
 * @csspart status__base - The box that explains why the user can't write.
 * @csspart composer__base - The composer's box.
 * @csspart composer__field - The composer's text field.
 * @csspart composer__send - The send button.
 * @csspart composer__stop - The stop button.
 * @csspart composer__attach - The button that attaches files.
 * @csspart attachments__attachment - A file that is being attached.
 * @csspart composer__dictate - The dictation button.
 * @csspart composer__mode - The mode selector.
 * @csspart composer__disclaimer - The line below the composer.
 * @csspart suggestions__suggestion - A follow-up suggestion.
 * @csspart quota__base - The quota meter.
 * @csspart consent__base - The consent form.
 * @csspart menu__base - The menu of the title bar.
 * @csspart conversations - The list of conversations.
 * @csspart conversation-item__base - A conversation in the list.
 * @csspart conversation-list__search - The search field of the list.
 */
export class InlayChat extends ChatOptions {
  static override styles = [base, buttons, ...styles, panels];

  readonly #language = new LanguageController(this, () => this);

  readonly #chat = new ChatController(this, {
    settings: () => this,
    rendered: async () => this.#composer?.updateComplete,
    initialSessionId: () => this.sessionId || null,
    shouldResume: () => !this.noResume,
    tools: () => this.tools,
    sendingBlocked: () => this.#consent.wanted !== null,
    onRequest: (text) => emit(this, 'inlay-message-request', { text }),
    onSent: (text) => emit(this, 'inlay-message', { text, sessionId: this.currentSessionId }),
    onChange: () => this.#forget(),
    onAuthChange: ({ status }) => emit(this, 'inlay-auth-change', { status }),
    onConfig: ({ agent, token }) =>
      emit(this, 'inlay-ready', { agent: agent.name, externalUserId: token.external_user_id }),
    onLoad: (conversation) => emitConversationLoad(this, conversation),
    onAnswer: (entry) => this.#handleAnswer(entry),
    onStream: (entry) => this.#announcer.update(entry),
    onRun: () => this.#announcer.start(),
    onWait: () => this.#announcer.wait(),
    onIdle: () => this.#announcer.idle(),
    onError: ({ code, message }) => emit(this, 'inlay-error', { code, message }),
    onDiagnostic: (diagnostic) => emit(this, 'inlay-diagnostic', diagnostic),
  });

  readonly #scheme = new SchemeController(this);

  readonly #announcer = new Announcer({
    verbosity: () => this.announce,
    strings: () => this.#language.strings,
    agentName: () => agentNameOf(this.#view),
    onChange: () => this.requestUpdate(),
  });

  readonly #consent = new ConsentController(this, () => consentQuestion(this.#config));

  readonly #drop = new DropController(this, {
    accepts: () => attachmentPolicy(this.#config) !== null && !this.#chat.locked,
    onFiles: (files) => this.#composer?.addFiles(files),
  });

  readonly #panels = new PanelsController(this);

  readonly #lazy = new LazyElementsController(this);

  readonly #requestHandlers: Partial<RequestHandlers> = {
    'inlay-draft': ({ value }) => {
      this.#chat.draft = value;
    },
    'inlay-submit-request': ({ text, ...details }) => this.#chat.submit(text, details),
    'inlay-stop': () => this.stop(),
    'inlay-quote': ({ text }) => this.#composer?.quote(text),
    'inlay-focus-composer': () => this.focusComposer(),
    'inlay-reconnect': () => this.reconnect(),
    'inlay-start-over': () => this.newConversation(),
    'inlay-open-conversation': ({ sessionId }) =>
      this.openConversation(sessionId) && this.#panels.hideCoveringConversationList(),
    'inlay-conversation-deleted': ({ sessionId }) => this.#handleDeleted(sessionId),
    'inlay-close-conversation-list': () => this.#panels.showConversationList(false),
    'inlay-consent-given': () => this.#accept(),
    'inlay-menu-export': ({ format }) => this.exportConversation(format),
    'inlay-menu-delete': () => this.deleteConversation(),
    'inlay-menu-forget': () => this.forgetMe(),
    'inlay-close-menu': () => this.#panels.showMenu(false),
    'inlay-announce': ({ text }) => this.#announcer.say(text),
  };

  /** The id of the conversation on screen; null while it has none. */
  get currentSessionId(): string | null {
    return this.#chat.sessionId;
  }

  /**
   * Sends a message as the user. Resolves with true once it is in the conversation, with false if it
   * was prevented or failed. A failed message stays in the conversation and can be retried.
   */
  async sendMessage(text: string): Promise<boolean> {
    return (await this.#chat.sendAfterFirstRender(text.trim())) ?? false;
  }

  /** Starts a new conversation. The previous one is kept on the server. */
  newConversation(): void {
    if (!this.#open(null)) return;
    emit(this, 'inlay-conversation', { sessionId: null });
    // A budget can be per conversation, so a new conversation may be allowed again.
    if (this.#chat.status === 'over_budget') void this.reconnect();
    this.focusComposer();
  }

  /** Opens an existing conversation. Returns false if it was prevented or there is no client yet. */
  openConversation(sessionId: string): boolean {
    if (sessionId === this.currentSessionId) return true;
    if (!this.#open(sessionId)) return false;
    emit(this, 'inlay-conversation', { sessionId });
    return true;
  }

  /** Exports the conversation on screen as a file. Resolves with whether that succeeded. */
  async exportConversation(format: 'markdown' | 'json'): Promise<boolean> {
    this.#panels.showMenu(false);
    return (await loadDataRights())?.exportConversation(this.#dataRights, format) ?? false;
  }

  /** Deletes the conversation on screen and starts a new one. Resolves with whether that succeeded. */
  async deleteConversation(): Promise<boolean> {
    this.#panels.showMenu(false);
    const deletedId = await (await loadDataRights())?.deleteConversation(this.#dataRights);
    if (!deletedId) return false;
    this.#announcer.clear();
    this.#handleDeleted(deletedId);
    this.#announcer.say(this.#language.strings.conversationDeleted);
    this.focusComposer();
    return true;
  }

  /** Deletes all data of the user on the server. Resolves with whether that succeeded. */
  async forgetMe(): Promise<boolean> {
    this.#panels.showMenu(false);
    if (!(await (await loadDataRights())?.eraseUserData(this.#dataRights))) return false;
    this.#consent.withdraw();
    emit(this, 'inlay-forget', {});
    return true;
  }

  /** Moves focus to the text field. */
  focusComposer(): void {
    const field = this.renderRoot.querySelector<HTMLElement>('inlay-composer, inlay-consent');
    field?.focus({ preventScroll: true });
  }

  /** Requests a new token. A failure is shown and reported by `inlay-error`. */
  async reconnect(): Promise<void> {
    if (await this.#chat.reconnect()) this.focusComposer();
  }

  /**
   * Discards the token, the conversation and the draft of the current user at once. Call it when
   * another user signs in or the user signs out. `getToken` is then called with null.
   */
  reset(): void {
    this.#chat.reset();
  }

  /** Stops the agent. */
  stop(): void {
    this.#chat.conversation.current?.stop();
  }

  /**
   * Checks options, server, token, clock, origin, CORS, Content Security Policy, streaming and storage.
   * @throws InlayError `INVALID_OPTION` if the element is not connected to a document.
   */
  diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport> {
    return this.#chat.client.diagnose(options);
  }

  protected override createRenderRoot() {
    const root = super.createRenderRoot();
    new LostFocusController(this, () => root.querySelector('inlay-composer, inlay-consent'));
    handleRequests(root, { ...this.#requestHandlers, ...entryRequestHandlers(this, this.#chat) });
    stopKeyPropagation(this);
    new FocusKeeper(this);
    return root;
  }

  /** Defers the first render to its own task, to keep the task that inserted the element short. */
  protected override scheduleUpdate() {
    if (this.hasUpdated) return super.scheduleUpdate();
    return nextTask().then(() => super.scheduleUpdate());
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    const sessionId = this.sessionId || null;
    if (changed.has('sessionId') && sessionId !== this.currentSessionId) this.#chat.open(sessionId);
    // With `all: unset` on the page, the host has no box that could give the chat its height.
    // Before the first render, reading the computed style costs little.
    if (!this.hasUpdated) {
      this.toggleAttribute('data-unset', getComputedStyle(this).display === 'inline');
    }
  }

  protected override updated() {
    const root = this.renderRoot.querySelector<HTMLElement>('.root');
    if (!root) return;
    const theme = this.#config?.theme;
    this.#scheme.apply(root, this.colorScheme || theme?.color_scheme || 'auto');
    const accent = theme?.accent ?? '';
    root.style.setProperty('--inlay-agent-accent', CSS.supports('color', accent) ? accent : '');
  }

  get #config() {
    return this.#chat.client.config;
  }

  get #composer(): InlayComposer | null {
    return this.renderRoot.querySelector('inlay-composer');
  }

  get #view(): ChatView {
    return {
      chat: this.#chat,
      options: this,
      strings: this.#language.strings,
      direction: this.#language.direction,
      consent: this.#consent.wanted,
      announcements: this.#announcer.announcements,
      panels: this.#panels,
      lazy: this.#lazy,
      dropping: this.#drop.over,
      onNew: () => this.newConversation(),
    };
  }

  get #dataRights(): DataRightsContext {
    const say = (text: string) => this.#announcer.say(text);
    return { element: this, chat: this.#chat, strings: this.#language.strings, say };
  }

  /** Opens a conversation unless the page prevents it. Returns whether it was opened. */
  #open(sessionId: string | null): boolean {
    if (!emit(this, 'inlay-conversation-request', { sessionId })) return false;
    this.#announcer.clear();
    return this.#chat.open(sessionId);
  }

  #accept() {
    if (!emit(this, 'inlay-consent-request', {})) return;
    this.#consent.accept();
    emit(this, 'inlay-consent', {});
    void this.#panels.moveFocus('inlay-composer');
  }

  #handleDeleted(sessionId: string) {
    emit(this, 'inlay-delete', { sessionId });
    if (sessionId === this.currentSessionId) this.#chat.open(null);
  }

  /** Discards announcements, panels and files when the client or the user changes. */
  #forget() {
    this.#announcer.clear();
    this.#panels.forget();
    this.#composer?.forget();
  }

  #handleAnswer(entry: AgentEntry) {
    const { id, text, progress } = entry;
    if (progress === 'streaming') return;
    this.#announcer.finish(entry);
    emit(this, 'inlay-answer', { id, text, progress, sessionId: this.currentSessionId });
  }

  protected override async getUpdateComplete() {
    const isDone = await super.getUpdateComplete();
    const pending = [this.#language.whenLoaded(), this.#chat.client.start].filter(Boolean);
    if (pending.length === 0) return isDone;
    await Promise.all(pending);
    return super.getUpdateComplete();
  }

  protected override render() {
    // Nothing is rendered until the language has loaded or its timeout has passed.
    return this.#language.whenLoaded() === null ? chatView(this.#view) : nothing;
  }
}

/** Loads the chunk for export and deletion; null if that fails. */
const loadDataRights = () => retryImport(() => import('./data-rights.ts')).catch(() => null);

declare global {
  interface HTMLElementTagNameMap {
    'inlay-chat': InlayChat;
  }
}
