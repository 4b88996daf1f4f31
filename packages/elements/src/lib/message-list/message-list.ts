import type { AgentEntry, Entry, ThinkingEntry } from '@inlay/client';
import { html, type LitElement, nothing, type PropertyValues } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { updateUiState } from '../entry-ui-state.ts';
import { emit } from '../events.ts';
import { firstFocusable } from '../first-focusable.ts';
import { plural } from '../i18n/format.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { dayOf, nameOfDay } from './days.ts';
import { showsProgress, viewOfActivityIndicator, viewOfRow, viewOfSkeleton } from './entry-view.ts';
import { FollowController } from './follow-controller.ts';
import { loadEntryElements } from './load-entry-elements.ts';
import { styles } from './message-list.styles.ts';
import { MessageListOptions } from './message-list-options.ts';
import { RenderedRows } from './rendered-rows.ts';
import { RowWindow } from './row-window.ts';
import { Silence } from './silence.ts';
import { Unread } from './unread.ts';

/** Target of a focus move among the messages. */
type Step = 'previous' | 'next' | 'first' | 'last';

/**
 * Value of `aria-keyshortcuts`. Alt with the arrow keys is not available: JAWS and NVDA read
 * sentences with it, ChromeOS scrolls, macOS moves by paragraphs. Page Up and Page Down alone scroll.
 */
const keysToMove = 'Alt+PageUp Alt+PageDown';

/**
 * Returns the focus move for a key, `content` to move into a message, `out` to return to the message or
 * else to the composer, or null for other keys.
 */
function stepOf(event: KeyboardEvent): Step | 'content' | 'out' | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
  if (ctrlKey || metaKey || shiftKey || defaultPrevented) return null;
  if (altKey) return key === 'PageUp' ? 'previous' : key === 'PageDown' ? 'next' : null;
  if (key === 'Escape') return 'out';
  // Fields and scroll containers use these keys themselves.
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement && target.matches('.row'))) return null;
  const steps = { Home: 'first', End: 'last', Enter: 'content' } as const;
  return steps[key as keyof typeof steps] ?? null;
}

/** Selector of the rows of messages, which are tab stops. */
const messageSelector = '.row[tabindex]';

const isMessage = ({ kind }: Entry) => kind === 'user' || kind === 'agent';

/** Whether an entry is streaming and has text. Its first text replaces the activity indicator. */
function isGrowing(entry: Entry | undefined): entry is AgentEntry | ThinkingEntry {
  const { progress, text } = (entry ?? {}) as Partial<AgentEntry>;
  return progress === 'streaming' && text !== '';
}

/** Whether an entry is a user message that was just sent from this chat. */
const isOwn = (entry: Entry | undefined) => entry?.kind === 'user' && entry.delivery !== 'sent';

/**
 * @summary The message list: all entries of the conversation in order.
 *
 * A list of up to 200 entries is rendered completely, so that the browser's search finds every entry. Of
 * a longer list, only the entries around the view are rendered, except for printing. The line that is
 * being read keeps its position when content arrives, loads or collapses.
 *
 * Each message is one tab stop. Alt+Page Up and Alt+Page Down move between messages, Home and End to the
 * first and the last message, Enter into a message, Escape out of it and then to the composer.
 *
 * @slot empty - Shown while the conversation has no entries, or they are loading.
 *
 * @fires inlay-load-earlier - The user has scrolled near the top, and there are earlier entries.
 * @fires inlay-focus-composer - The user returns to the composer.
 * @fires inlay-announce - Requests an announcement of new messages that are out of view.
 *
 * @csspart scroller - The scroll container of the messages.
 * @csspart jump - The button that scrolls to new messages and to the end.
 * @csspart date-separator - The separator above the messages of another day.
 * @csspart unread-separator - The separator above the first unread message.
 * @csspart shortcuts-hint - Keyboard shortcut hint, shown while the message list has focus.
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
 * @internal
 */
export class InlayMessageList extends MessageListOptions {
  static override styles = [base, styles];

  readonly #follow = new FollowController(this, {
    mode: () => this.follow,
    isEmpty: () => this.entries.length === 0,
    rowOf: (key) => this.#rows.withKey(key),
    rowBelow: (edge) => this.#rows.below(edge),
    hasMoreBelow: () => this.#window.hasMoreBelow,
    onViewChange: () => this.#updateView(),
  });
  readonly #window = new RowWindow();
  readonly #rows = new RenderedRows(this);
  readonly #unread = new Unread(() => this.draftStorage);
  readonly #silence = new Silence(() => this.requestUpdate());
  /** Whether a callback will add rows when the browser is idle. */
  #isGrowScheduled = false;
  /** Increased when an option changes, with which the rows are rendered. */
  #options = 0;
  /** Whether earlier entries were requested and have not arrived. */
  #requestedEarlier = false;
  #printing = false;

  override connectedCallback() {
    super.connectedCallback();
    window.addEventListener('beforeprint', this.#handlePrint);
    window.addEventListener('afterprint', this.#handlePrint);
    this.#silence.restart(this.running);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('beforeprint', this.#handlePrint);
    window.removeEventListener('afterprint', this.#handlePrint);
    this.#silence.restart(false);
  }

  /** Moves focus to the scroll container. */
  override focus() {
    this.renderRoot.querySelector<HTMLElement>('.scroller')?.focus({ preventScroll: true });
  }

  /** Loads the elements that render the last of these entries. */
  loadElements = loadEntryElements;

  /** Scrolls to the end of the conversation. */
  scrollToEnd() {
    this.#follow.scrollToEnd();
  }

  /** Moves focus to a message. Resolves with false if there is no such message. */
  async focusMessage(step: Step): Promise<boolean> {
    const { entries } = this;
    const currentIndex = this.#currentIndex();
    const forward = step === 'next' || step === 'first';
    let index = {
      previous: currentIndex - 1,
      next: currentIndex + 1,
      first: 0,
      last: entries.length - 1,
    }[step];
    for (let entry = entries[index]; entry && !isMessage(entry); entry = entries[index]) {
      index += forward ? 1 : -1;
    }
    const key = entries[index]?.key;
    if (key === undefined) return false;
    const row = await this.#renderRowOf(key);
    row?.focus({ preventScroll: true });
    if (row) this.#follow.scrollRowIntoView(row);
    return row !== null;
  }

  /**
   * Makes each message one tab stop: hides the content of a message from the browser while the browser
   * moves focus past it.
   *
   * @param event - The event of the Tab key, in the list or beside it.
   */
  skipContent(event: KeyboardEvent) {
    const path = event.composedPath();
    const nodeIn = (root: Node) =>
      path.find((node): node is Element => node instanceof Element && node.getRootNode() === root);
    const isBefore = (node: Node, other: Node | undefined) =>
      Boolean(other && node.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
    const origin = this.shadowRoot ? nodeIn(this.shadowRoot) : undefined;
    const message = origin?.closest(messageSelector) ?? null;
    // Within a message, the next tab stop is the browser's.
    if (message && message !== path[0]) return;
    const messages = [...this.renderRoot.querySelectorAll<HTMLElement>(messageSelector)];
    const isBelow = !origin && isBefore(this, nodeIn(this.getRootNode()));
    const skipped = event.shiftKey
      ? messages.findLast((each) => isBelow || isBefore(each, origin))
      : message;
    const content = skipped?.lastElementChild;
    if (!(content instanceof HTMLElement)) return;
    content.inert = true;
    // Firefox moves focus in a later task.
    setTimeout(() => {
      content.inert = false;
    }, 100);
  }

  protected override firstUpdated() {
    const scroller = this.renderRoot.querySelector<HTMLElement>('.scroller');
    const spacer = this.renderRoot.querySelector<HTMLElement>('.spacer');
    if (scroller && spacer) this.#follow.attach(scroller, spacer);
  }

  protected override updated() {
    this.#growWhenIdle();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if ([...changed.keys()].some((name) => name !== 'entries')) this.#options += 1;
    if (changed.has('entries')) this.#updateEntries(changed.get('entries') ?? []);
    if (changed.has('entries') || changed.has('running')) this.#silence.restart(this.running);
    if (changed.has('entries') || changed.get('loading')) this.#requestedEarlier = false;
    if (this.#follow.following) this.#window.showEnd();
  }

  override requestUpdate(...args: Parameters<LitElement['requestUpdate']>) {
    const [name, before] = args;
    if (name === 'entries' && this.hasUpdated && this.#growEntry(before as Entry[])) return;
    super.requestUpdate(...args);
  }

  /** Updates only the element of a streaming entry whose text has grown, if the list renders the same. */
  #growEntry(before: readonly Entry[]): boolean {
    const { entries } = this;
    const previous = before.at(-1);
    const last = entries.at(-1);
    const grows =
      isGrowing(previous) &&
      isGrowing(last) &&
      previous.key === last.key &&
      before.length === entries.length &&
      entries.every((entry, index) => entry === before[index] || entry === last) &&
      // The activity indicator, the number of new messages and the scroll position stay the same.
      this.#silence.length === 'short' &&
      this.#unread.count === 0 &&
      (this.follow === 'bottom' || !this.#follow.following);
    const element = grows && this.#rows.withKey(last.key)?.lastElementChild;
    // Other code may have added an element to the row.
    if (!element || !('entry' in element)) return false;
    element.entry = last;
    this.#window.update(entries);
    this.#silence.restart(this.running);
    return true;
  }

  #updateEntries(before: readonly Entry[]) {
    const { entries } = this;
    const last = entries.at(-1);
    const isNew = last?.key !== before.at(-1)?.key;
    this.#markEarlier(before[0]?.key);
    if (!this.#window.update(entries)) this.#follow.reset();
    else if (last !== before.at(-1) && before.length > 0 && this.follow !== 'bottom') {
      // Only the mode `bottom` follows new content.
      if (this.#follow.following) this.#follow.hold();
    }
    if (isNew && isOwn(last) && before.length > 0) this.#scrollToSent(last?.key ?? '');
    if (this.#unread.update(entries, this.#follow.atEnd)) {
      const text = plural(this.strings, this.strings.newMessages, this.#unread.count);
      // Dispatched after this update, because listeners may request another one.
      queueMicrotask(() => emit(this, 'inlay-announce', { text }));
    }
  }

  /**
   * Marks the failures and cards before the entry `first` as announced; without `first`, all of them,
   * because the conversation was just opened.
   */
  #markEarlier(first: string | undefined) {
    for (const entry of this.entries) {
      if (entry.key === first) return;
      const isAnnounced =
        ['card', 'notice'].includes(entry.kind) ||
        (entry.kind === 'user' && entry.delivery === 'failed');
      if (isAnnounced) updateUiState(this.uiStates, entry.key, { announced: true });
    }
  }

  /** Scrolls to a message that the user has just sent. */
  #scrollToSent(key: string) {
    this.#unread.removeSeparator();
    this.#unread.markRead(this.entries);
    if (this.follow === 'bottom') requestAnimationFrame(() => this.#follow.scrollToEnd());
    else
      void this.#scrollToRow(key, this.follow === 'off' ? 'scrollRowIntoView' : 'scrollRowToTop');
  }

  /** Renders a row if it is not rendered yet. Resolves with the row. */
  async #renderRowOf(key: string): Promise<HTMLElement | null> {
    if (this.#window.show(this.#indexOf(key))) this.#follow.hold();
    this.requestUpdate();
    await this.updateComplete;
    return this.#rows.withKey(key);
  }

  async #scrollToRow(
    key: string,
    method: 'scrollRowTowardsTop' | 'scrollRowToTop' | 'scrollRowIntoView',
  ) {
    const row = await this.#renderRowOf(key);
    // In the next frame, the content of the row is rendered, but not painted yet.
    requestAnimationFrame(() => {
      if (row?.isConnected) this.#follow[method](row);
    });
  }

  /**
   * Index of the entry with focus, otherwise of the entry being read; the number of entries while
   * following the end.
   */
  #currentIndex(): number {
    const focused = this.shadowRoot?.activeElement?.closest<HTMLElement>('.row');
    const key = focused?.dataset.key ?? this.#follow.key;
    return key === null ? this.entries.length : this.#indexOf(key);
  }

  #indexOf(key: string | undefined): number {
    return this.entries.findIndex((entry) => entry.key === key);
  }

  #updateView() {
    const scroller = this.renderRoot.querySelector<HTMLElement>('.scroller');
    if (!scroller || this.clientHeight === 0) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const isNearTop = scrollTop < clientHeight;
    const isNearBottom = scrollHeight - scrollTop < 2 * clientHeight;
    if (isNearTop || (isNearBottom && this.#window.hasMoreBelow)) this.#grow();
    else this.#growWhenIdle();
    const isNear = !this.#follow.following && isNearTop;
    const isShort = scrollHeight <= clientHeight;
    // The greeting of an empty list has to be scrollable by keyboard, even if its buttons are disabled.
    if (this.entries.length === 0) scroller.tabIndex = isShort ? -1 : 0;
    if (!this.hasEarlier || this.loading || this.#requestedEarlier || !(isNear || isShort)) return;
    if (this.#window.from > 0) return;
    this.#requestedEarlier = true;
    emit(this, 'inlay-load-earlier', {});
  }

  /** Renders more rows around the view. Removes none while one of them has focus or is selected. */
  #grow() {
    const { following } = this.#follow;
    const first = following ? null : this.#rows.below(this.getBoundingClientRect().top);
    const index = following ? this.entries.length : this.#indexOf(first?.dataset.key);
    const isFixed =
      Boolean(this.shadowRoot?.activeElement?.closest('.row')) || getSelection()?.type === 'Range';
    if (index < 0 || !this.#window.grow(index, isFixed)) return;
    this.requestUpdate();
    void this.updateComplete.then(() => this.#follow.correct());
  }

  #growWhenIdle() {
    if (this.#isGrowScheduled) return;
    this.#isGrowScheduled = true;
    const grow = () => {
      this.#isGrowScheduled = false;
      if (this.isConnected && !this.#printing) this.#grow();
    };
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(grow, { timeout: 1000 });
    else setTimeout(grow, 100);
  }

  #handlePrint = ({ type }: Event) => {
    this.#printing = type === 'beforeprint';
    this.requestUpdate();
  };

  #handleKeydown = (event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step === null) return;
    event.preventDefault();
    event.stopPropagation();
    const target = event.target as HTMLElement;
    const message = target.closest<HTMLElement>(messageSelector);
    const content = message?.lastElementChild;
    if (step === 'content' && content instanceof HTMLElement) {
      content.inert = false;
      firstFocusable(content)?.focus();
    } else if (step === 'out' && message && message !== target) message.focus();
    else if (step === 'out') emit(this, 'inlay-focus-composer', {});
    else if (step !== 'content') void this.focusMessage(step);
  };

  #handleJump = () => {
    const { first, count } = this.#unread;
    this.#unread.markRead(this.entries);
    if (count > 0) void this.#scrollToRow(first, 'scrollRowTowardsTop');
    else this.scrollToEnd();
  };

  #renderEntry(entry: Entry, index: number, position: number, count: number) {
    const now = Date.now();
    const before = this.entries[index - 1];
    const today = dayOf(now);
    const startsDay = dayOf(entry.at) !== (before ? dayOf(before.at) : today);
    const state = {
      last: index === this.entries.length - 1,
      firstUnread: this.#unread.first === entry.key,
      interrupts:
        entry.kind === 'notice' && before?.kind === 'agent' && before.progress === 'failed',
      position,
      count,
      answer: this.#answerAbove(index),
    };
    return guard([entry, startsDay && today, this.#options, ...Object.values(state)], () => {
      const day = startsDay ? nameOfDay(this.strings, entry.at, now) : '';
      const content = () =>
        this.#rows
          .withKey(state.answer?.key ?? '')
          ?.querySelector('inlay-agent-message')
          ?.content() ?? null;
      return viewOfRow(entry, this, { ...state, day, content });
    });
  }

  /** Returns the agent message above the last card of a run, which shows the actions of the message. */
  #answerAbove(index: number): AgentEntry | null {
    const next = this.entries[index + 1]?.kind ?? 'user';
    if (next !== 'user' && next !== 'notice') return null;
    let above = index;
    while (this.entries[above]?.kind === 'card') above -= 1;
    const answer = this.entries[above];
    return above < index && answer?.kind === 'agent' ? answer : null;
  }

  #renderItems() {
    const start = this.#printing ? 0 : this.#window.from;
    const total = this.hasEarlier ? -1 : this.entries.filter(isMessage).length;
    let position = this.entries.slice(0, start).filter(isMessage).length;
    return repeat(
      this.#window.entries(this.#printing),
      ({ key }) => key,
      (entry, index) => {
        if (isMessage(entry)) position += 1;
        return this.#renderEntry(entry, start + index, isMessage(entry) ? position : 0, total);
      },
    );
  }

  #renderSkeleton() {
    if (this.entries.length === 0 || !(this.loading || this.hasEarlier)) return nothing;
    return viewOfSkeleton(this.loading ? this.strings.loadingEarlier : '');
  }

  #renderPulse() {
    const last = this.entries.at(-1);
    const { length } = this.#silence;
    const isShown = !last || !showsProgress(last) || (last.kind === 'agent' && length !== 'short');
    if (!this.running || !isShown) return nothing;
    return viewOfActivityIndicator(length === 'long' ? `${this.strings.stillWorking}…` : '');
  }

  #renderJump() {
    if (this.#follow.atEnd || this.entries.length === 0) return nothing;
    const { strings } = this;
    const { count } = this.#unread;
    return html`<button
      class="jump ${count > 0 ? 'new' : ''}"
      part="jump"
      aria-label=${count > 0 ? nothing : strings.jumpToLatest}
      @click=${this.#handleJump}
    >
      ${count > 0 ? html`<bdi>${plural(strings, strings.newMessages, count)}</bdi>` : nothing}
      ${icons.down}
    </button>`;
  }

  protected override render() {
    const { strings, entries } = this;
    // Keys only move between messages if there are several.
    const hasKeys = entries.filter(isMessage).length > 1;
    // A locked list can scroll, but its suggestions are disabled: only the list itself can take focus.
    return html`
      <div
        class="scroller"
        part="scroller"
        role="log"
        aria-live="off"
        aria-busy=${this.running}
        aria-label=${strings.messages}
        aria-describedby=${hasKeys ? 'keys' : nothing}
        aria-keyshortcuts=${hasKeys ? keysToMove : nothing}
        tabindex=${entries.length > 0 || this.locked ? 0 : nothing}
        @keydown=${this.#handleKeydown}
      >
        <div class="content">
          ${
            this.disclosure && !this.hasEarlier
              ? html`<p class="disclosure"><bdi>${this.disclosure}</bdi></p>`
              : nothing
          }
          <div class="empty" ?hidden=${entries.length > 0}>
            <slot name="empty"></slot>
          </div>
          ${this.#renderSkeleton()}${this.#renderItems()}${this.#renderPulse()}
          <div class="spacer"></div>
        </div>
      </div>
      ${hasKeys ? html`<p id="keys" class="keys" part="shortcuts-hint">${strings.messageKeys}</p>` : nothing}
      ${this.#renderJump()}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-message-list': InlayMessageList;
  }
}
