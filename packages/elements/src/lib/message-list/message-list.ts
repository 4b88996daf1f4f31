import type { Entry } from '@inlay/client';
import { html, nothing, type PropertyValues } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { updateUiState } from '../entry-ui-state.ts';
import { emit } from '../events.ts';
import { plural } from '../i18n/format.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { dayOf, nameOfDay } from './days.ts';
import { optionValues, showsProgress } from './entry-view.ts';
import { FollowController } from './follow-controller.ts';
import { keysToMove, type Step, stepOf } from './message-keys.ts';
import { styles } from './message-list.styles.ts';
import { MessageListOptions } from './message-list-options.ts';
import { RenderedRows } from './rendered-rows.ts';
import { viewOfActivityIndicator, viewOfRow, viewOfSkeleton } from './row-view.ts';
import { RowWindow } from './row-window.ts';
import { Silence } from './silence.ts';
import { Unread } from './unread.ts';

const isMessage = ({ kind }: Entry) => kind === 'user' || kind === 'agent';

/** Whether an entry is a user message that was just sent from this chat. */
const isOwn = (entry: Entry | undefined) => entry?.kind === 'user' && entry.delivery !== 'sent';

/**
 * @summary The message list: all entries of the conversation in order.
 *
 * A list of up to 200 entries is rendered completely, so that the browser's search finds every entry. Of
 * a longer list, only the entries around the view are rendered, except for printing. The line that is
 * being read keeps its position when content arrives, loads or collapses.
 *
 * Alt+Page Up and Alt+Page Down move between messages, Home and End to the first and the last
 * message, Escape to the composer.
 *
 * @slot empty - Shown while the conversation has no entries.
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
    rowOf: (key) => this.#rows.withKey(key),
    rowBelow: (edge) => this.#rows.below(edge),
    hasMoreBelow: () => this.#window.hasMoreBelow,
    onViewChange: () => this.#updateView(),
  });
  readonly #window = new RowWindow();
  readonly #rows = new RenderedRows(this);
  readonly #unread = new Unread();
  readonly #silence = new Silence(() => this.requestUpdate());
  /** Whether a callback will add rows when the browser is idle. */
  #isGrowScheduled = false;
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

  protected override firstUpdated() {
    const scroller = this.renderRoot.querySelector<HTMLElement>('.scroller');
    const spacer = this.renderRoot.querySelector<HTMLElement>('.spacer');
    if (scroller && spacer) this.#follow.attach(scroller, spacer);
  }

  protected override updated() {
    this.#growWhenIdle();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('entries')) this.#updateEntries(changed.get('entries') ?? []);
    if (changed.has('entries') || changed.has('running')) this.#silence.restart(this.running);
    if (changed.has('entries') || changed.get('loading')) this.#requestedEarlier = false;
    if (this.#follow.following) this.#window.showEnd();
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
    const scroller = this.renderRoot.querySelector('.scroller');
    if (!scroller || this.clientHeight === 0) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const isNearTop = scrollTop < clientHeight;
    const isNearBottom = scrollHeight - scrollTop < 2 * clientHeight;
    if (isNearTop || (isNearBottom && this.#window.hasMoreBelow)) this.#grow();
    else this.#growWhenIdle();
    const isNear = !this.#follow.following && isNearTop;
    const isShort = scrollHeight <= clientHeight;
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
    if (step === 'composer') emit(this, 'inlay-focus-composer', {});
    else void this.focusMessage(step);
  };

  #handleJump = () => {
    const { first, count } = this.#unread;
    this.#unread.markRead(this.entries);
    if (count > 0 && first !== null) void this.#scrollToRow(first, 'scrollRowTowardsTop');
    else this.scrollToEnd();
  };

  #renderEntry(entry: Entry, index: number, position: number, count: number) {
    const { strings } = this;
    const last = index === this.entries.length - 1;
    const now = Date.now();
    const before = this.entries[index - 1];
    const today = dayOf(now);
    const startsDay = dayOf(entry.at) !== (before ? dayOf(before.at) : today);
    const firstUnread = this.#unread.first === entry.key;
    const interrupts =
      entry.kind === 'notice' && before?.kind === 'agent' && before.progress === 'failed';
    const place = isMessage(entry) ? { position, count } : null;
    return guard(
      [
        entry,
        last,
        startsDay && today,
        firstUnread,
        interrupts,
        place && position,
        place && count,
        entry.kind === 'thinking' && this.running,
        ...optionValues(this),
      ],
      () => {
        const day = startsDay ? nameOfDay(strings, entry.at, now) : '';
        return viewOfRow(entry, this, { last, day, firstUnread, interrupts, place });
      },
    );
  }

  #renderItems() {
    const { entries } = this;
    let messages = 0;
    let countedUpTo = 0;
    const positionOf = (index: number) => {
      for (; countedUpTo <= index; countedUpTo += 1) {
        const entry = entries[countedUpTo];
        if (entry && isMessage(entry)) messages += 1;
      }
      return messages;
    };
    const total = this.hasEarlier ? -1 : entries.filter(isMessage).length;
    const start = this.#printing ? 0 : this.#window.from;
    return repeat(
      this.#window.entries(this.#printing),
      ({ key }) => key,
      (entry, index) => this.#renderEntry(entry, start + index, positionOf(start + index), total),
    );
  }

  #renderSkeleton() {
    const empty = this.entries.length === 0;
    if (!this.loading && (empty || !this.hasEarlier)) return nothing;
    return viewOfSkeleton(empty, this.loading ? this.strings.loadingEarlier : '');
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
    const { strings } = this;
    return html`
      <div
        class="scroller"
        part="scroller"
        role="log"
        aria-live="off"
        aria-busy=${this.running}
        aria-label=${strings.messages}
        aria-describedby="keys"
        aria-keyshortcuts=${keysToMove}
        tabindex="0"
        @keydown=${this.#handleKeydown}
      >
        <div class="content">
          <div class="empty" ?hidden=${this.entries.length > 0 || this.loading}>
            <slot name="empty"></slot>
          </div>
          ${this.#renderSkeleton()}${this.#renderItems()}${this.#renderPulse()}
          <div class="spacer"></div>
        </div>
      </div>
      <p id="keys" class="keys" part="shortcuts-hint">${strings.messageKeys}</p>
      ${this.#renderJump()}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-message-list': InlayMessageList;
  }
}
