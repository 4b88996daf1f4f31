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
import { RetainedRows } from './retained-rows.ts';
import { pulse, viewOfRow, viewOfSkeleton } from './row-view.ts';
import { type Item, RowWindow } from './row-window.ts';
import { Unread } from './unread.ts';

const isMessage = ({ kind }: Entry) => kind === 'user' || kind === 'agent';

/** Whether an entry is a user message that was just sent from this chat. */
const isOwn = (entry: Entry | undefined) => entry?.kind === 'user' && entry.delivery !== 'sent';

/**
 * @summary The message list: all entries of the conversation in order.
 *
 * The list is virtualized: it renders the rows near the view and those with focus, a selection or
 * expanded details. The browser's search finds only rendered rows; printing renders all. The line
 * that is being read keeps its position when content arrives, loads or collapses.
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
    onViewChange: () => this.#updateView(),
    onResize: (changes) => this.#rows.measure(changes),
  });
  readonly #window = new RowWindow();
  readonly #rows = new RenderedRows(this, this.#window.heights);
  readonly #retained = new RetainedRows();
  readonly #unread = new Unread();
  #items: readonly Item[] = [];
  /** Key of the row that was last scrolled to. It stays rendered. */
  #targetKey: string | null = null;
  /** Whether earlier entries were requested and have not arrived. */
  #requestedEarlier = false;
  #printing = false;
  /** Distance of the view from the top of the first row, in CSS pixels. */
  #top = 0;
  #height = 0;

  override connectedCallback() {
    super.connectedCallback();
    window.addEventListener('beforeprint', this.#handlePrint);
    window.addEventListener('afterprint', this.#handlePrint);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('beforeprint', this.#handlePrint);
    window.removeEventListener('afterprint', this.#handlePrint);
  }

  /** Scrolls to the end of the conversation. */
  scrollToEnd() {
    this.#follow.toEnd();
  }

  /** Moves focus to a message. Resolves with false if there is none. */
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
    if (row) this.#follow.intoView(row);
    return row !== null;
  }

  protected override firstUpdated() {
    const scroller = this.renderRoot.querySelector<HTMLElement>('.scroller');
    const spacer = this.renderRoot.querySelector<HTMLElement>('.spacer');
    if (scroller && spacer) this.#follow.attach(scroller, spacer);
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('entries')) this.#updateEntries(changed.get('entries') ?? []);
    if (changed.has('entries') || changed.get('loading')) this.#requestedEarlier = false;
    const retained = this.shadowRoot ? this.#retained.keys(this.shadowRoot) : new Set<string>();
    for (const key of [this.#targetKey, this.#follow.key]) if (key !== null) retained.add(key);
    this.#items = this.#window.items(retained, this.#printing);
  }

  #updateEntries(before: readonly Entry[]) {
    const { entries } = this;
    const last = entries.at(-1);
    const isNew = last?.key !== before.at(-1)?.key;
    this.#markEarlierFailures(before[0]?.key);
    if (!this.#window.update(entries)) this.#follow.reset();
    else if (last !== before.at(-1) && before.length > 0 && this.follow !== 'bottom') {
      // Only the mode `bottom` follows new content.
      if (this.#follow.following) this.#follow.hold();
    }
    if (isNew && isOwn(last) && before.length > 0) this.#scrollToSent(last?.key ?? '');
    if (this.#follow.following) this.#window.setView(this.#view);
    if (this.#unread.update(entries, this.#follow.atEnd)) {
      const text = plural(this.strings, this.strings.newMessages, this.#unread.count);
      // Dispatched after this update, because listeners may request another one.
      queueMicrotask(() => emit(this, 'inlay-announce', { text }));
    }
  }

  /** Marks notices before an entry, or before the conversation was opened, as announced. */
  #markEarlierFailures(first: string | undefined) {
    for (const entry of this.entries) {
      if (entry.key === first) return;
      const isFailure =
        entry.kind === 'notice' || (entry.kind === 'user' && entry.delivery === 'failed');
      if (isFailure) updateUiState(this.uiStates, entry.key, { announced: true });
    }
  }

  /** Scrolls to a message that the user has just sent. */
  #scrollToSent(key: string) {
    this.#unread.removeSeparator();
    this.#unread.markRead(this.entries);
    if (this.follow === 'bottom') requestAnimationFrame(() => this.#follow.toEnd());
    else void this.#scrollToRow(key, this.follow === 'off' ? 'intoView' : 'toTop');
  }

  get #view() {
    const top = this.#follow.following ? ('end' as const) : this.#top;
    return { top, height: this.#height };
  }

  /** Renders a row if it is not rendered. */
  async #renderRowOf(key: string): Promise<HTMLElement | null> {
    this.#targetKey = key;
    this.requestUpdate();
    await this.updateComplete;
    return this.#rows.withKey(key);
  }

  async #scrollToRow(key: string, how: 'toRow' | 'toTop' | 'intoView') {
    const row = await this.#renderRowOf(key);
    // Before the next frame, the content of the row has rendered but was not painted yet.
    requestAnimationFrame(() => {
      if (row?.isConnected) this.#follow[how](row);
    });
  }

  /** Index of the user's current entry: the one with focus, otherwise the one being read. */
  #currentIndex(): number {
    const focused = this.shadowRoot?.activeElement?.closest<HTMLElement>('.row');
    const key = focused?.dataset.key ?? this.#follow.key;
    if (key !== null) return this.#window.heights.indexOf(key);
    return this.entries.length;
  }

  #updateView() {
    const scroller = this.renderRoot.querySelector('.scroller');
    this.#height = this.clientHeight;
    if (!scroller || this.#height === 0) return;
    this.#top = this.#rows.topOf(scroller);
    if (this.#window.setView(this.#view)) this.requestUpdate();
    const isNear = !this.#follow.following && this.#top < this.#height;
    const isShort = scroller.scrollHeight <= scroller.clientHeight;
    if (!this.hasEarlier || this.loading || this.#requestedEarlier || !(isNear || isShort)) return;
    this.#requestedEarlier = true;
    emit(this, 'inlay-load-earlier', {});
  }

  #handlePrint = ({ type }: Event) => {
    this.#printing = type === 'beforeprint';
    this.requestUpdate();
  };

  #handleTouch = ({ target }: Event) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('.row') : null;
    if (row) this.#retained.touch(row);
  };

  #handleKeydown = (event: KeyboardEvent) => {
    this.#handleTouch(event);
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
    if (count > 0 && first !== null) void this.#scrollToRow(first, 'toRow');
    else this.scrollToEnd();
  };

  #renderItem(item: Item, position: number, count: number) {
    // Set as a property: a Content Security Policy may forbid style attributes.
    if ('gap' in item) return html`<div class="gap" .style=${`block-size: ${item.gap}px`}></div>`;
    const { entry, index } = item;
    const { strings } = this;
    const last = index === this.entries.length - 1;
    const now = Date.now();
    const before = this.entries[index - 1];
    const today = dayOf(now);
    const startsDay = dayOf(entry.at) !== (before ? dayOf(before.at) : today);
    const firstUnread = this.#unread.first === entry.key;
    const place = isMessage(entry) ? { position, count } : null;
    return guard(
      [
        entry,
        last,
        startsDay && today,
        firstUnread,
        place && position,
        place && count,
        ...optionValues(this),
      ],
      () => {
        const day = startsDay ? nameOfDay(strings, entry.at, now) : '';
        return viewOfRow(entry, this, { last, day, firstUnread, place });
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
    return repeat(
      this.#items,
      ({ key }) => key,
      (item) => this.#renderItem(item, 'entry' in item ? positionOf(item.index) : 0, total),
    );
  }

  #renderSkeleton() {
    const empty = this.entries.length === 0;
    if (!this.loading && (empty || !this.hasEarlier)) return nothing;
    return viewOfSkeleton(empty, this.loading ? this.strings.loadingEarlier : '');
  }

  #renderPulse() {
    const last = this.entries.at(-1);
    return this.running && !(last && showsProgress(last)) ? pulse : nothing;
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
        @pointerdown=${this.#handleTouch}
        @pointerup=${this.#handleTouch}
        @click=${this.#handleTouch}
        @input=${this.#handleTouch}
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
