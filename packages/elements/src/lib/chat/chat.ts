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
import { tellLoad } from './conversation-load.ts';
import { entryAnswers } from './entry-answers.ts';
import { keepTyping } from './keep-typing.ts';
import { LazyElementsController } from './lazy-elements-controller.ts';
import { LostFocusController } from './lost-focus-controller.ts';
import { PanelsController } from './panels-controller.ts';
import { type Answers, answerRequests } from './requests.ts';
import type { RightsContext } from './rights.ts';
import { attachmentPolicy, consentQuestion } from './settings.ts';

/**
 * @summary A conversation with an agent, as large as its container.
 *
 * Give it `base-url`, and who talks: `token-url`, the address of your backend's token endpoint, or
 * the property `getToken`, for people who are signed in; `publishable-key` for everybody. What is
 * missing is said in the element and by `inlay-error`. Where the endpoint answers that nobody is
 * signed in, the element says so, and `reset()` begins anew once somebody is.
 *
 * @slot avatar - A picture of the agent, before its name.
 * @slot header - Replaces the agent's name and description.
 * @slot actions - Buttons at the end of the header.
 * @slot empty - Replaces the greeting and the suggestions.
 * @slot footer - Below the composer.
 *
 * @fires inlay-ready - The agent's settings are there.
 * @fires inlay-auth-change - Whether the person may talk has changed.
 * @fires inlay-message-request - A message is about to be sent. Prevent it to keep it back.
 * @fires inlay-message - A message is in the conversation.
 * @fires inlay-answer - An answer is complete.
 * @fires inlay-error - Something failed that the person is told of.
 * @fires inlay-diagnostic - What a monitoring tool may want to know. Never a secret.
 * @fires inlay-conversation-request - Another conversation is about to be shown. Prevent it to stay.
 * @fires inlay-conversation - Another conversation is shown, or a new one.
 * @fires inlay-conversation-load - What was said in a conversation from before is on screen.
 * @fires inlay-rating-request - An answer is about to be rated. Prevent it to keep the rating back.
 * @fires inlay-rating - An answer was rated.
 * @fires inlay-decision-request - A call of a tool is about to be allowed or denied.
 * @fires inlay-decision - A call of a tool was allowed or denied.
 * @fires inlay-link-request - The person follows a link in an answer. Prevent it to keep the link from being opened.
 * @fires inlay-link - The person followed a link in an answer.
 * @fires inlay-copy - The person copied a block of code in an answer.
 * @fires inlay-card-request - A card is about to be answered. Prevent it to keep the answer back.
 * @fires inlay-card - A card was answered.
 * @fires inlay-tool-request - A tool of the page is about to be run. Prevent it to decline.
 * @fires inlay-tool - A tool of the page has answered, or failed.
 * @fires inlay-command - The person called a command of the page.
 * @fires inlay-mode - The person chose how the agent answers.
 * @fires inlay-export-request - A copy is about to be saved. Prevent it to make one of your own.
 * @fires inlay-export - A copy was saved.
 * @fires inlay-delete-request - A conversation is about to be deleted. Prevent it to keep it.
 * @fires inlay-delete - A conversation was deleted.
 * @fires inlay-forget-request - Everything about the person is about to be deleted.
 * @fires inlay-forget - Everything that was known of the person is deleted.
 * @fires inlay-consent-request - The person is about to accept what they must before they write.
 * @fires inlay-consent - The person accepted what they must before they write.
 *
 * @csspart base - Everything.
 * @csspart title-bar - The line at the top.
 * @csspart input-area - What stands below the conversation.
 * @csspart message-list__scroller - What scrolls.
 * @csspart message-list__jump - The button that leads back to the end.
 * @csspart message-list__date-separator - The line above what was said on another day.
 * @csspart message-list__unread-separator - The line above what came while the reader was away.
 * @csspart message-list__shortcuts-hint - Keyboard shortcut hint, shown while the message list has focus.
 * @csspart user-message__bubble - What the person said.
 * @csspart user-message__files - What the person attached to it.
 * @csspart user-message__delivery - The line that says where a message stands.
 * @csspart user-actions__versions - The switch between versions of a message.
 * @csspart agent-message__content - What the agent said.
 * @csspart markdown__code - A block of code in an answer.
 * @csspart markdown__inline-code - Code within text.
 * @csspart markdown__link - A link.
 * @csspart markdown__table - A table.
 * @csspart markdown__image - A picture.
 * @csspart markdown__sources - The list of sources.
 * @csspart answer-actions__base - The buttons below an answer.
 * @csspart user-actions__base - The buttons below a message of the person.
 * @csspart answer-actions__action - A button of the page's own below an answer.
 * @csspart user-actions__action - A button of the page's own below a message of the person.
 * @csspart feedback__base - Where the person says why an answer was good or bad.
 * @csspart answer-actions__quote - The button below what is selected.
 * @csspart thinking__summary - The line that unfolds what the agent thought.
 * @csspart tool-call__base - A step that the agent took with a tool.
 * @csspart card__base - A card of the agent.
 * @csspart notice__base - The line that says what failed.
 * @csspart welcome__greeting - The first line of an empty conversation.
 * @csspart welcome__suggestion - A suggestion.
 * @csspart status__base - The box that says why the person can't talk.
 * @csspart composer__base - The composer's box.
 * @csspart composer__field - The composer's text field.
 * @csspart composer__send - The button that sends.
 * @csspart composer__stop - The button that stops the answer.
 * @csspart composer__attach - The button that attaches files.
 * @csspart attachments__attachment - A file that is being attached.
 * @csspart composer__dictate - The button that writes down what is said.
 * @csspart composer__mode - The choice of how the agent answers.
 * @csspart composer__disclaimer - The line below the composer.
 * @csspart suggestions__suggestion - What the person may want to say next.
 * @csspart allowance__base - The line that says how much is used up.
 * @csspart consent__base - What the person has to accept.
 * @csspart menu__base - What opens behind the three dots.
 * @csspart threads - The list of conversations.
 * @csspart thread__base - A conversation in it.
 * @csspart thread-list__search - The field that searches it.
 */
export class InlayChat extends ChatOptions {
  static override styles = [base, buttons, ...styles, panels];

  readonly #language = new LanguageController(this, () => this);

  readonly #chat = new ChatController(this, {
    settings: () => this,
    drawn: async () => this.#composer?.updateComplete,
    firstSession: () => this.sessionId || null,
    resumes: () => !this.noResume,
    tools: () => this.tools,
    held: () => this.#consent.wanted !== null,
    onRequest: (text) => emit(this, 'inlay-message-request', { text }),
    onSent: (text) => emit(this, 'inlay-message', { text, sessionId: this.currentSessionId }),
    onChange: () => this.#forget(),
    onAuthChange: ({ status }) => emit(this, 'inlay-auth-change', { status }),
    onConfig: ({ agent, token }) =>
      emit(this, 'inlay-ready', { agent: agent.name, externalUserId: token.external_user_id }),
    onLoad: (conversation) => tellLoad(this, conversation),
    onAnswer: (entry) => this.#handleAnswer(entry),
    onGrowth: (entry) => this.#announcer.grow(entry),
    onRun: () => this.#announcer.begin(),
    onWait: () => this.#announcer.wait(),
    onRest: () => this.#announcer.rest(),
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

  readonly #answers: Partial<Answers> = {
    'inlay-draft': ({ value }) => {
      this.#chat.draft = value;
    },
    'inlay-submit-request': ({ text, ...said }) => this.#chat.submit(text, said),
    'inlay-stop': () => this.stop(),
    'inlay-quote': ({ text }) => this.#composer?.quote(text),
    'inlay-focus-composer': () => this.focusComposer(),
    'inlay-reconnect': () => this.reconnect(),
    'inlay-start-over': () => this.newConversation(),
    'inlay-open-thread': ({ sessionId }) =>
      this.openConversation(sessionId) && this.#panels.leaveThreads(),
    'inlay-thread-deleted': ({ sessionId }) => this.#handleDeleted(sessionId),
    'inlay-close-threads': () => this.#panels.showThreads(false),
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
   * Sends a message as the person. True once it is in the conversation; false when it was
   * prevented, could not be sent, or failed. It then stands in the conversation as failed.
   */
  async sendMessage(text: string): Promise<boolean> {
    return (await this.#chat.sendOnceDrawn(text.trim())) ?? false;
  }

  /** Begins a new conversation. The former one stays on the platform. */
  newConversation(): void {
    if (!this.#open(null)) return;
    emit(this, 'inlay-conversation', { sessionId: null });
    // A budget is that of one conversation: whether the next one has any is worth asking.
    if (this.#chat.status === 'over_budget') void this.reconnect();
    this.focusComposer();
  }

  /** Opens a conversation from before. False when it was prevented, or nobody can talk yet. */
  openConversation(sessionId: string): boolean {
    if (sessionId === this.currentSessionId) return true;
    if (!this.#open(sessionId)) return false;
    emit(this, 'inlay-conversation', { sessionId });
    return true;
  }

  /** Saves a copy of the conversation on screen as a file. False where none could be made. */
  async exportConversation(format: 'markdown' | 'json'): Promise<boolean> {
    this.#panels.showMenu(false);
    return (await loadRights())?.exportConversation(this.#rights, format) ?? false;
  }

  /** Deletes the conversation on screen for good, and begins a new one. True when it is gone. */
  async deleteConversation(): Promise<boolean> {
    this.#panels.showMenu(false);
    const gone = await (await loadRights())?.deleteConversation(this.#rights);
    if (!gone) return false;
    this.#announcer.clear();
    this.#handleDeleted(gone);
    this.#announcer.say(this.#language.strings.threadDeleted);
    this.focusComposer();
    return true;
  }

  /** Deletes everything that the platform has of the person, for good. True when it is gone. */
  async forgetMe(): Promise<boolean> {
    this.#panels.showMenu(false);
    if (!(await (await loadRights())?.forgetPerson(this.#rights))) return false;
    this.#consent.withdraw();
    emit(this, 'inlay-forget', {});
    return true;
  }

  /** Puts the focus into the text field. */
  focusComposer(): void {
    const field = this.renderRoot.querySelector<HTMLElement>('inlay-composer, inlay-consent');
    field?.focus({ preventScroll: true });
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
   * Checks options, platform, token, clock, origin, CORS, Content Security Policy, streaming and storage.
   * For developers: the report has causes and remedies, no secrets. `INVALID_OPTION` where not on a page.
   */
  diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport> {
    return this.#chat.client.diagnose(options);
  }

  protected override createRenderRoot() {
    const root = super.createRenderRoot();
    new LostFocusController(this, () => root.querySelector('inlay-composer, inlay-consent'));
    answerRequests(root, { ...this.#answers, ...entryAnswers(this, this.#chat) });
    keepTyping(this);
    new FocusKeeper(this);
    return root;
  }

  /** Drawn for the first time in a task of its own, not in that which has put it into the page. */
  protected override scheduleUpdate() {
    if (this.hasUpdated) return super.scheduleUpdate();
    return nextTask().then(() => super.scheduleUpdate());
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    const sessionId = this.sessionId || null;
    if (changed.has('sessionId') && sessionId !== this.currentSessionId) this.#chat.open(sessionId);
    // Where the page has unset everything, there is no box that could give the chat its height.
    // Asked while nothing is drawn, this costs the browser little.
    if (!this.hasUpdated) {
      this.toggleAttribute('data-unset', getComputedStyle(this).display === 'inline');
    }
  }

  protected override updated() {
    const root = this.renderRoot.querySelector<HTMLElement>('.root');
    if (!root) return;
    const theme = this.#config?.theme;
    this.#scheme.write(root, this.colorScheme || theme?.color_scheme || 'auto');
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

  get #rights(): RightsContext {
    const say = (text: string) => this.#announcer.say(text);
    return { element: this, chat: this.#chat, strings: this.#language.strings, say };
  }

  /** Whether another conversation is on screen now. */
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

  /** Another client, or another person. */
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
    const arrivals = [this.#language.arrival(), this.#chat.client.start].filter(Boolean);
    if (arrivals.length === 0) return isDone;
    await Promise.all(arrivals);
    return super.getUpdateComplete();
  }

  protected override render() {
    // What else the chat needs is on its way by then.
    return this.#language.arrival() === null ? chatView(this.#view) : nothing;
  }
}

/** The code for exporting and deleting; null if it could not be loaded. */
const loadRights = () => retryImport(() => import('./rights.ts')).catch(() => null);

declare global {
  interface HTMLElementTagNameMap {
    'inlay-chat': InlayChat;
  }
}
