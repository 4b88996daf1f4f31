import type { Sessions } from '@inlay/client';
import type { Session, StopReason } from '@inlay/protocol';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { InlayConversationItem } from '../conversation-item/conversation-item.ts';
import { emit } from '../events.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { format } from '../i18n/format.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { icons } from '../icons/icons.ts';
import { requestElement } from '../lazy-elements.ts';
import { mayMoveFocus } from '../may-move-focus.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './conversation-list.styles.ts';
import { type ConversationGroup, ConversationPages } from './conversation-pages.ts';
import { rowRange } from './row-range.ts';

/** Debounce time of the search, in milliseconds. */
const searchDebounceMs = 250;

/** How often the list is updated while the agent answers in a conversation that the user left. */
const updateMs = 2000;

/** Estimated height of a row until a row was measured, in CSS pixels. */
const estimatedRowHeight = 60;

/**
 * @summary The list of the user's conversations, to search, open, rename, archive and delete them. Those that
 * wait for the user come first, the others are grouped by day. The list is virtualized: it renders only the rows near the view.
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
  #updateTimer: ReturnType<typeof setTimeout> | undefined;

  @state() private top = 0;
  @state() private height = 600;
  /** Text in the search field. */
  @state() private typed = '';
  /** Id of the conversation with a pending action; empty for none. */
  @state() private busy = '';

  /** API for the user's conversations on the server. */
  @property({ attribute: false }) sessions: Sessions | null = null;

  /** Id of the conversation on screen. */
  @property() current = '';

  /** Ids of the conversations that the user left while the agent was answering. */
  @property({ attribute: false }) unfinished: ReadonlySet<string> = new Set();

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
    clearTimeout(this.#updateTimer);
    this.#updateTimer = undefined;
    this.#resize.disconnect();
    this.#conversations?.close();
  }

  /** Moves focus into the list. On a touch screen, focusing the search would open the keyboard. */
  override focus(options?: FocusOptions) {
    const isTouch = matchMedia('(pointer: coarse)').matches;
    this.renderRoot.querySelector<HTMLElement>(isTouch ? '.new' : 'input')?.focus(options);
  }

  /** Loads the list again, because conversations were added to it. */
  refresh() {
    this.#updateList();
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
      this.sessions &&
      new ConversationPages(this.sessions, {
        onChange: () => this.requestUpdate(),
        isPinned: (session) => session.requires_action === true || this.#isUnread(session),
      });
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
    for (const space of this.renderRoot.querySelectorAll<HTMLElement>('.space')) {
      // Set by script: a strict Content Security Policy forbids style attributes.
      space.style.setProperty('block-size', `${Number(space.dataset.rows) * this.#rowHeight}px`);
    }
    const isAnswering = this.#conversations?.items.some(
      ({ id, status }) => status !== 'idle' && this.unfinished.has(id),
    );
    if (isAnswering) this.#updateTimer ??= setTimeout(() => this.#handleUpdateTimer(), updateMs);
  }

  #handleUpdateTimer() {
    this.#updateTimer = undefined;
    this.#updateList();
  }

  #isUnread({ id, status }: Session): boolean {
    return status === 'idle' && id !== this.current && this.unfinished.has(id);
  }

  /** Updates the list, or waits until no row has focus, because a row that is moved loses its focus. */
  #updateList() {
    this.#isOutdated = this.renderRoot.querySelector('.groups:focus-within') !== null;
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
    this.typed = (target as HTMLInputElement).value;
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(() => this.#search(), searchDebounceMs);
  }

  async #search() {
    await this.#conversations?.search(this.typed);
    const { error, items, query } = this.#conversations ?? {};
    if (query && !error && items?.length === 0) {
      emit(this, 'inlay-announce', { text: this.#notFound(query) });
    }
  }

  #clearSearch() {
    clearTimeout(this.#searchTimer);
    this.typed = '';
    this.renderRoot.querySelector('input')?.focus();
    void this.#search();
  }

  #notFound(query: string): string {
    return format(this.strings.noConversationsFound, { query });
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
        .unread=${this.#isUnread(session)}
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
      <bdi>${conversations.query ? this.#notFound(conversations.query) : strings.noConversations}</bdi>
    </p>`;
  }

  /** Renders a heading, and the rows of the group that are in `from`–`to`, numbered from its first one. */
  #renderGroup({ days, sessions }: ConversationGroup, from: number, to: number) {
    const start = Math.max(0, Math.min(from, sessions.length));
    const end = Math.max(start, Math.min(to, sessions.length));
    const { strings } = this;
    const dayNames = new Intl.RelativeTimeFormat(strings.locale, { numeric: 'auto' });
    const heading = days === 2 ? strings.earlier : dayNames.format(-(days ?? 0), 'day');
    return html`
      ${days === null ? nothing : html`<h3 id=${`days-${days}`}><bdi>${heading}</bdi></h3>`}
      <div class="space" data-rows=${start}></div>
      ${
        start < end
          ? html`<ul
              aria-label=${days === null ? strings.conversations : nothing}
              aria-labelledby=${days === null ? nothing : `days-${days}`}
            >
              ${repeat(
                sessions.slice(start, end),
                ({ id }) => id,
                (session) => this.#renderItem(session),
              )}
            </ul>`
          : nothing
      }
      <div class="space" data-rows=${sessions.length - end}></div>
    `;
  }

  #renderList(conversations: ConversationPages) {
    const { from, to } = this.#range;
    let start = 0;
    return html`<div
      class="groups"
      @focusout=${this.#handleFocusout}
      @inlay-conversation-rename=${this.#handleRename}
      @inlay-conversation-archive=${this.#handleArchive}
      @inlay-conversation-delete=${this.#handleDelete}
    >
      ${repeat(
        conversations.groups(Date.now()),
        ({ days }) => days,
        (group) => {
          const first = start;
          start += group.sessions.length;
          return this.#renderGroup(group, from - first, to - first);
        },
      )}
    </div>`;
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
        <div class="search">
          ${extraIcons.search}
          <input
            part="search"
            type="search"
            autocomplete="off"
            aria-label=${strings.searchConversations}
            placeholder=${strings.searchConversations}
            .value=${live(this.typed)}
            @input=${this.#handleSearch}
          />
          ${
            this.typed
              ? html`<button
                  class="icon-button"
                  aria-label=${strings.clearSearch}
                  title=${strings.clearSearch}
                  @click=${this.#clearSearch}
                >
                  ${icons.close}
                </button>`
              : nothing
          }
        </div>
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
