import type { Sessions } from '@inlay/client';
import type { Session, StopReason } from '@inlay/protocol';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { mayMoveFocus } from '../controllers/may-move-focus.ts';
import { InlayConversationItem } from '../conversation-item/conversation-item.ts';
import { emit } from '../events.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { icons } from '../icons/icons.ts';
import { requestElement } from '../lazy-elements.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './conversation-list.styles.ts';
import { ConversationPages } from './conversation-pages.ts';
import { rowRange } from './row-range.ts';

/** Debounce time of the search, in milliseconds. */
const searchDebounceMs = 250;

/** Estimated height of a row until a row was measured, in CSS pixels. */
const estimatedRowHeight = 60;

/**
 * @summary The list of the user's conversations, to search, open, rename, archive and delete them. The
 * list is virtualized: it renders only the rows near the view.
 *
 * @fires inlay-open-conversation - The user opens a conversation.
 * @fires inlay-conversation-deleted - A conversation was deleted.
 * @fires inlay-close-conversation-list - The user closes the list.
 * @fires inlay-start-over - The user starts a new conversation.
 * @fires inlay-announce - Requests an announcement to screen reader users.
 *
 * @csspart search - The search field.
 * @csspart conversation-item__base - A conversation.
 * @internal
 */
export class InlayConversationList extends LitElement {
  static override styles = [base, buttons, styles];

  #conversations: ConversationPages | null = null;
  #rowHeight = estimatedRowHeight;
  /** Whether the list is to be updated when no row has focus. */
  #isOutdated = false;
  #searchTimer: ReturnType<typeof setTimeout> | undefined;

  @state() private top = 0;
  @state() private height = 600;
  /** Id of the conversation with a pending action; empty for none. */
  @state() private busy = '';

  /** API for the user's conversations on the server. */
  @property({ attribute: false }) sessions: Sessions | null = null;

  /** Id of the conversation on screen. */
  @property() current = '';

  /** Why the last run of the conversation on screen ended. Another object for each run. */
  @property({ attribute: false }) stopReason: StopReason | null = null;

  /** Whether the user may delete conversations. */
  @property({ type: Boolean }) deletable = false;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  readonly #resize = new ResizeObserver(() => this.#measure());

  override connectedCallback() {
    super.connectedCallback();
    requestElement('inlay-conversation-item');
    void this.#conversations?.refresh();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#searchTimer);
    this.#resize.disconnect();
    this.#conversations?.close();
  }

  /** Moves focus into the list. On a touch screen, focusing the search would open the keyboard. */
  override focus(options?: FocusOptions) {
    const isTouch = matchMedia('(pointer: coarse)').matches;
    this.renderRoot.querySelector<HTMLElement>(isTouch ? '.new' : 'input')?.focus(options);
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (!changed.has('sessions')) {
      const isNewOrDeleted =
        changed.has('current') && !this.#conversations?.items.some(({ id }) => id === this.current);
      // A run changes the time of the conversation, its position in the list and maybe its title.
      if (isNewOrDeleted || (changed.has('stopReason') && this.stopReason)) this.#updateList();
      return;
    }
    this.#conversations?.close();
    this.#conversations =
      this.sessions && new ConversationPages(this.sessions, () => this.requestUpdate());
    void this.#conversations?.refresh();
  }

  protected override firstUpdated() {
    // Opening the list moves focus into it, but the chunk of this element is loaded only afterwards.
    const { host = this } = this.getRootNode() as Partial<ShadowRoot>;
    if (mayMoveFocus(host)) this.focus();
  }

  protected override updated() {
    // These elements are rendered only while `sessions` is set.
    for (const part of this.renderRoot.querySelectorAll('.scroller, ul'))
      this.#resize.observe(part);
    const { before, after } = this.#range;
    const [first, last] = this.renderRoot.querySelectorAll<HTMLElement>('.space');
    // Set by script: a strict Content Security Policy forbids style attributes.
    first?.style.setProperty('block-size', `${before}px`);
    last?.style.setProperty('block-size', `${after}px`);
  }

  /** Updates the list, or waits until no row has focus, because a row that is moved loses its focus. */
  #updateList() {
    this.#isOutdated = this.renderRoot.querySelector('ul:focus-within') !== null;
    if (!this.#isOutdated) void this.#conversations?.update();
  }

  #handleFocusout({ currentTarget, relatedTarget }: FocusEvent) {
    if (!this.#isOutdated || (currentTarget as Node).contains(relatedTarget as Node | null)) return;
    this.#isOutdated = false;
    void this.#conversations?.update();
  }

  get #range() {
    const { top, height } = this;
    const count = this.#conversations?.items.length ?? 0;
    return rowRange(count, { top, height, rowHeight: this.#rowHeight });
  }

  #measure() {
    this.height = this.renderRoot.querySelector('.scroller')?.clientHeight ?? 0;
    const rows = this.renderRoot.querySelectorAll('li');
    // A row with an open form is taller than the others.
    const height = Math.min(...Array.from(rows, (row) => row.getBoundingClientRect().height));
    // Not rounded: with zoom, fractions of pixels add up over many rows.
    if (height > 0 && Number.isFinite(height) && Math.abs(height - this.#rowHeight) > 0.01) {
      this.#rowHeight = height;
      this.requestUpdate();
    }
  }

  #handleScroll({ currentTarget }: Event) {
    const { scrollTop, clientHeight, scrollHeight } = currentTarget as HTMLElement;
    this.top = scrollTop;
    this.height = clientHeight;
    if (scrollHeight - scrollTop < clientHeight * 2) void this.#conversations?.more();
  }

  #handleSearch({ target }: Event) {
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(async () => {
      await this.#conversations?.search((target as HTMLInputElement).value);
      const { error, items, query } = this.#conversations ?? {};
      if (query && !error && items?.length === 0) {
        emit(this, 'inlay-announce', { text: this.strings.noConversationsFound });
      }
    }, searchDebounceMs);
  }

  async #runAction(
    id: string,
    action: (conversations: ConversationPages) => Promise<boolean>,
  ): Promise<boolean> {
    if (!this.#conversations || this.busy) return false;
    this.busy = id;
    const done = await action(this.#conversations);
    this.busy = '';
    return done;
  }

  async #delete(sessionId: string) {
    if (!(await this.#runAction(sessionId, (conversations) => conversations.delete(sessionId))))
      return;
    emit(this, 'inlay-announce', { text: this.strings.conversationDeleted });
    emit(this, 'inlay-conversation-deleted', { sessionId });
    if (mayMoveFocus(this)) this.focus();
  }

  async #archive(sessionId: string) {
    const { archived } = this.#conversations ?? {};
    if (!(await this.#runAction(sessionId, (conversations) => conversations.archive(sessionId))))
      return;
    const { conversationArchived, conversationUnarchived } = this.strings;
    emit(this, 'inlay-announce', {
      text: archived ? conversationUnarchived : conversationArchived,
    });
    if (mayMoveFocus(this)) this.focus();
  }

  #handleRename(event: HTMLElementEventMap['inlay-conversation-rename']) {
    event.stopPropagation();
    const { sessionId, title } = event.detail;
    void this.#runAction(sessionId, (conversations) => conversations.rename(sessionId, title));
  }

  #handleArchive(event: HTMLElementEventMap['inlay-conversation-archive']) {
    event.stopPropagation();
    void this.#archive(event.detail.sessionId);
  }

  #handleDelete(event: HTMLElementEventMap['inlay-conversation-delete']) {
    event.stopPropagation();
    void this.#delete(event.detail.sessionId);
  }

  #handleKeydown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    emit(this, 'inlay-close-conversation-list', {});
  }

  #renderItem(session: Session): TemplateResult {
    const { id } = session;
    return html`<li>
      <inlay-conversation-item
        exportparts="base: conversation-item__base"
        .session=${session}
        .strings=${this.strings}
        .current=${id === this.current}
        .archived=${this.#conversations?.archived ?? false}
        .deletable=${this.deletable}
        .busy=${id === this.busy}
      ></inlay-conversation-item>
    </li>`;
  }

  #renderState(conversations: ConversationPages) {
    const { strings } = this;
    if (conversations.error) {
      return html`<div class="state" role="alert">
        <p><bdi>${strings.conversationsFailed}</bdi></p>
        <button class="button" @click=${() => conversations.refresh()}>${strings.retry}</button>
      </div>`;
    }
    if (conversations.items.length > 0) return nothing;
    if (!conversations.loaded || conversations.loading) {
      return html`<div class="skeleton">
        <span class="visually-hidden">${strings.loadingConversations}</span>
        <i></i><i></i><i></i>
      </div>`;
    }
    return html`<p class="state">
      <bdi>${conversations.query ? strings.noConversationsFound : strings.noConversations}</bdi>
    </p>`;
  }

  #renderList(conversations: ConversationPages) {
    const { from, to } = this.#range;
    return html`
      <div class="space"></div>
      <ul
        aria-label=${this.strings.conversations}
        @focusout=${this.#handleFocusout}
        @inlay-conversation-rename=${this.#handleRename}
        @inlay-conversation-archive=${this.#handleArchive}
        @inlay-conversation-delete=${this.#handleDelete}
      >
        ${repeat(
          conversations.items.slice(from, to),
          ({ id }) => id,
          (session) => this.#renderItem(session),
        )}
      </ul>
      <div class="space"></div>
    `;
  }

  protected override render() {
    const { strings } = this;
    const conversations = this.#conversations;
    if (!conversations) return nothing;
    return html`<nav aria-label=${strings.conversations} @keydown=${this.#handleKeydown}>
      <div class="top">
        <button class="button quiet new" @click=${() => emit(this, 'inlay-start-over', {})}>
          ${icons.compose} ${strings.newConversation}
        </button>
        <input
          part="search"
          type="search"
          autocomplete="off"
          aria-label=${strings.searchConversations}
          placeholder=${strings.searchConversations}
          @input=${this.#handleSearch}
        />
      </div>
      <div class="scroller" @scroll=${this.#handleScroll}>
        ${this.#renderState(conversations)} ${this.#renderList(conversations)}
      </div>
      <button
        class="button quiet archived"
        aria-pressed=${conversations.archived}
        @click=${() => conversations.show(!conversations.archived)}
      >
        ${extraIcons.archive} ${conversations.archived ? strings.showConversations : strings.showArchived}
      </button>
    </nav>`;
  }
}

export { InlayConversationItem };

declare global {
  interface HTMLElementTagNameMap {
    'inlay-conversation-list': InlayConversationList;
  }
}
