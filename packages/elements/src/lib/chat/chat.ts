import type { DiagnoseOptions, DiagnosisReport } from '@inlay/client';
import { nothing, type PropertyValues } from 'lit';
import { afterPaint, nextTask } from '../after-paint.ts';
import { EventKeeper } from '../event-keeper.ts';
import { emit } from '../events.ts';
import { lazy } from '../lazy.ts';
import { loadElement, onElementLoad } from '../lazy-elements.ts';
import { mayMoveFocus } from '../may-move-focus.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { SchemeController } from '../theme/scheme-controller.ts';
import { type ChatMethods, handleRequests } from './actions.ts';
import { styles } from './chat.styles.ts';
import { ChatController } from './chat-controller.ts';
import { ChatOptions } from './chat-options.ts';
import { chatTemplate } from './chat-template.ts';
import { FocusKeeper, fieldOf, fieldSelector, LostFocusController } from './focus.ts';

const dataRights = lazy(() => import('./data-rights.ts'));

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
 * @fires inlay-error - An error occurred and is shown to the user.
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
export class InlayChat extends ChatOptions implements ChatMethods {
  static override styles = [base, buttons, ...styles];

  readonly #chat: ChatController = new ChatController(
    this,
    () => void dataRights.load().then((module) => module?.offerClaim(this.#chat)),
  );
  readonly #scheme = new SchemeController(this);
  #unsubscribe: (() => void) | undefined;
  /** The attribute `data-short` is set in a chat of little height, as above an on-screen keyboard. */
  readonly #size = new ResizeObserver(([size]) => {
    const height = size?.contentRect.height ?? 0;
    // The attribute can change the observed size, which is an error within the callback.
    requestAnimationFrame(() => this.toggleAttribute('data-short', height > 0 && height < 360));
  });

  /** The id of the conversation on screen; null while it has none. */
  get currentSessionId(): string | null {
    return this.#chat.sessionId;
  }

  /**
   * Sends a message as the user. Resolves with true once it is in the conversation, with false if it
   * was prevented or failed. A failed message stays in the conversation and can be retried;
   * one that exceeds a limit returns to the text field.
   */
  async sendMessage(text: string): Promise<boolean> {
    return (await this.#chat.sendWhenReady(text.trim())) ?? false;
  }

  /**
   * Puts text into the text field, in place of the draft there, and moves focus to its end. The text is
   * not sent. Before the chat is ready, it also replaces the draft that was stored on an earlier page.
   */
  async setDraft(text: string): Promise<void> {
    this.#chat.replaceDraft(text);
    await this.updateComplete;
    this.#chat.composer?.setText(this.#chat.draft);
    this.focusComposer();
  }

  /** Starts a new conversation. The previous one is kept on the server. */
  newConversation(): void {
    const { status } = this.#chat;
    // A conversation that can't continue accepts no messages, so its draft and files move to the new one.
    if (!this.#open(null, status === 'closed' || status === 'over_budget')) return;
    emit(this, 'inlay-conversation', { sessionId: null });
    this.focusComposer();
    // A field that the list covers can't be focused before the list is closed.
    this.#chat.panels.hideCoveringConversationList(fieldSelector);
  }

  /** Opens an existing conversation. Returns false if it was prevented or there is no client yet. */
  openConversation(sessionId: string): boolean {
    const { session, error } = this.#chat.conversation.state ?? {};
    // A conversation that failed to load is opened again.
    if (sessionId === this.currentSessionId && (session || !error)) return true;
    if (!this.#open(sessionId)) return false;
    emit(this, 'inlay-conversation', { sessionId });
    return true;
  }

  /** Exports the conversation on screen as a file. Resolves with whether that succeeded. */
  async exportConversation(format: 'markdown' | 'json'): Promise<boolean> {
    return (await this.#loadDataRights())?.exportConversation(this.#chat, format) ?? false;
  }

  /** Deletes the conversation on screen and starts a new one. Resolves with whether that succeeded. */
  async deleteConversation(): Promise<boolean> {
    const isDeleted = await (await this.#loadDataRights())?.deleteConversation(this.#chat);
    if (isDeleted) this.#returnFocus();
    return isDeleted ?? false;
  }

  /** Deletes all data of the user on the server. Resolves with whether that succeeded. */
  async forgetMe(): Promise<boolean> {
    return (await this.#loadDataRights())?.eraseUserData(this.#chat) ?? false;
  }

  /** Moves focus to the text field. */
  focusComposer(): void {
    fieldOf(this)?.focus({ preventScroll: true });
  }

  /** Requests a new token. A failure is shown and reported by `inlay-error`. */
  async reconnect(): Promise<void> {
    if (await this.#chat.reconnect()) this.#returnFocus();
  }

  /**
   * Immediately discards the token, the conversation and the draft of the current user. Call it when
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

  override connectedCallback() {
    super.connectedCallback();
    this.#unsubscribe = onElementLoad(() => this.requestUpdate());
    this.#size.observe(this);
    // Loaded after the composer is painted, in parallel with the first token request.
    void this.updateComplete.then(afterPaint).then(() => loadElement('inlay-message-list'));
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#unsubscribe?.();
    this.#size.disconnect();
  }

  protected override createRenderRoot() {
    const root = super.createRenderRoot();
    handleRequests(root, this, this.#chat);
    new LostFocusController(this);
    new EventKeeper(this);
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
    // If the page sets `all: unset`, this element is `display: inline` and ignores its height. `data-unset`
    // makes it a block with a height. Before the first render, reading the computed style costs little.
    if (!this.hasUpdated) {
      this.toggleAttribute('data-unset', getComputedStyle(this).display === 'inline');
    }
  }

  protected override updated() {
    const root = this.renderRoot.querySelector<HTMLElement>('.root');
    if (!root) return;
    const theme = this.#chat.client.config?.theme;
    this.#scheme.apply(root, this.colorScheme || theme?.color_scheme || 'auto');
    const accent = theme?.accent ?? '';
    root.style.setProperty('--inlay-agent-accent', CSS.supports('color', accent) ? accent : '');
  }

  /** Moves focus to the text field after an action that may have taken long. */
  #returnFocus() {
    // On a touch screen, focusing a text field would open the keyboard over the conversation.
    if (mayMoveFocus(this) && !matchMedia('(pointer: coarse)').matches) this.focusComposer();
  }

  /** Opens a conversation unless the page prevents it. Returns whether it was opened. */
  #open(sessionId: string | null, withDraft = false): boolean {
    if (this.#chat.onlySessionId) return false;
    if (!emit(this, 'inlay-conversation-request', { sessionId })) return false;
    this.#chat.announcer.clear();
    const isOpen = this.#chat.open(sessionId, withDraft);
    // Without a reset time, the exhausted budget is that of the previous conversation.
    if (this.#chat.status === 'over_budget' && this.#chat.resetsAt === null)
      void this.#chat.reconnect();
    return isOpen;
  }

  /** Loads the module for export and deletion. Resolves to undefined if that fails. */
  #loadDataRights() {
    this.#chat.panels.showMenu(false);
    return dataRights.load();
  }

  protected override async getUpdateComplete() {
    const isDone = await super.getUpdateComplete();
    const pending = [this.#chat.language.whenLoaded(), this.#chat.client.start].filter(Boolean);
    if (pending.length === 0) return isDone;
    await Promise.all(pending);
    return super.getUpdateComplete();
  }

  protected override render() {
    // Nothing is rendered until the language has loaded or its timeout has passed.
    return this.#chat.language.whenLoaded() === null ? chatTemplate(this.#chat) : nothing;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-chat': InlayChat;
  }
}
