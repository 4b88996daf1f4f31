import type { Entry } from '@inlay/client';
import { html, nothing, type PropertyValues } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { remember } from '../entry-memory.ts';
import { emit } from '../events.ts';
import { plural } from '../i18n/format.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { dayOf, nameOfDay } from './days.ts';
import { partsOf, showsWork } from './entry-view.ts';
import { FollowController } from './follow-controller.ts';
import { HeldRows } from './held-rows.ts';
import { keysToMove, type Step, stepOf } from './message-keys.ts';
import { styles } from './message-list.styles.ts';
import { MessageListOptions } from './message-list-options.ts';
import { pulse, viewOfRow, viewOfSkeleton } from './row-view.ts';
import { type Item, RowWindow } from './row-window.ts';
import { Unread } from './unread.ts';

const isMessage = ({ kind }: Entry) => kind === 'user' || kind === 'agent';

/** Whether the user has just said this, here. */
const isOwn = (entry: Entry | undefined) => entry?.kind === 'user' && entry.delivery !== 'sent';

/**
 * @summary The conversation: everything said and done, in order.
 *
 * However long it is, only what is near the view is in the page, and with it what holds the focus,
 * the selection, or something that the user has unfolded. So the browser's own search finds what
 * is near, and printing puts everything in. Whatever arrives, loads or folds, the line that is being
 * read stays where it is.
 *
 * Alt+Page Up and Alt+Page Down move between messages, Home and End from one to the first and the
 * last, Escape back to the composer. Alt with the arrows is taken: by JAWS and NVDA for sentences.
 *
 * @slot empty - Shown while nothing has been said.
 *
 * @fires inlay-load-earlier - The reader is near the top, and there is more to load.
 * @fires inlay-focus-composer - The user goes back to writing.
 * @fires inlay-announce - New answers have come while the reader is elsewhere.
 *
 * @csspart scroller - What scrolls.
 * @csspart jump - The button that leads to what is new, and to the end.
 * @csspart date-separator - The line above what was said on another day.
 * @csspart unread-separator - The line above what came while the reader was away.
 * @csspart shortcuts-hint - Keyboard shortcut hint, shown while the message list has focus.
 * @csspart user-message__bubble - What the user said.
 * @csspart user-message__files - What the user attached to it.
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
 * @csspart user-actions__base - The buttons below a message of the user.
 * @csspart answer-actions__action - A button of the page's own below an answer.
 * @csspart user-actions__action - A button of the page's own below a message of the user.
 * @csspart feedback__base - Where the user says why an answer was good or bad.
 * @csspart answer-actions__quote - The button below what is selected.
 * @csspart thinking__summary - The line that unfolds what the agent thought.
 * @csspart tool-call__base - A step that the agent took with a tool.
 * @csspart card__base - A card of the agent.
 * @csspart notice__base - The line that says what failed.
 */
export class InlayMessageList extends MessageListOptions {
  static override styles = [base, styles];

  readonly #follow = new FollowController(this, {
    mode: () => this.follow,
    rowOf: (key) => this.#rowOf(key),
    rowBelow: (edge) => this.#rowBelow(edge),
    onLook: () => this.#look(),
    onResize: (changes) => this.#measure(changes),
  });
  readonly #window = new RowWindow();
  readonly #held = new HeldRows();
  readonly #unread = new Unread();
  #items: readonly Item[] = [];
  /** Key of the row that was last gone to: it has to be in the page before, and may stay. */
  #goal: string | null = null;
  /** Whether more was asked for, and has not come. */
  #asked = false;
  #printing = false;
  /** How far the view is below the top of the first row, and how tall it is, in pixels. */
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

  /** Goes to the end of the conversation. */
  scrollToEnd() {
    this.#follow.toEnd();
  }

  /** Moves the focus to a message. False where there is none. */
  async focusMessage(step: Step): Promise<boolean> {
    const { entries } = this;
    const here = this.#place();
    const forward = step === 'next' || step === 'first';
    let index = { previous: here - 1, next: here + 1, first: 0, last: entries.length - 1 }[step];
    for (let entry = entries[index]; entry && !isMessage(entry); entry = entries[index]) {
      index += forward ? 1 : -1;
    }
    const key = entries[index]?.key;
    if (key === undefined) return false;
    const row = await this.#bringIn(key);
    row?.focus({ preventScroll: true });
    if (row) this.#follow.intoView(row);
    return row !== null;
  }

  protected override firstUpdated() {
    const scroller = this.renderRoot.querySelector<HTMLElement>('.scroller');
    const room = this.renderRoot.querySelector<HTMLElement>('.room');
    if (scroller && room) this.#follow.attach(scroller, room);
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('entries')) this.#takeEntries(changed.get('entries') ?? []);
    if (changed.has('entries') || changed.get('loading')) this.#asked = false;
    const held = this.shadowRoot ? this.#held.keys(this.shadowRoot) : new Set<string>();
    for (const key of [this.#goal, this.#follow.key]) if (key !== null) held.add(key);
    this.#items = this.#window.items(held, this.#printing);
  }

  #takeEntries(before: readonly Entry[]) {
    const { entries } = this;
    const last = entries.at(-1);
    const isNew = last?.key !== before.at(-1)?.key;
    this.#passOver(before[0]?.key);
    if (!this.#window.update(entries)) this.#follow.reset();
    else if (last !== before.at(-1) && before.length > 0 && this.follow !== 'bottom') {
      // Only at the bottom does the view go with what comes.
      if (this.#follow.following) this.#follow.hold();
    }
    if (isNew && isOwn(last) && before.length > 0) this.#showOwn(last?.key ?? '');
    if (this.#follow.following) this.#window.look(this.#view);
    if (this.#unread.update(entries, this.#follow.atEnd)) {
      const text = plural(this.strings, this.strings.newMessages, this.#unread.count);
      // Not before this update is done: whoever hears it may ask for another.
      queueMicrotask(() => emit(this, 'inlay-announce', { text }));
    }
  }

  /** What failed before that entry, or before the conversation came on screen, is no news to anybody. */
  #passOver(first: string | undefined) {
    for (const entry of this.entries) {
      if (entry.key === first) return;
      const isFailure =
        entry.kind === 'notice' || (entry.kind === 'user' && entry.delivery === 'failed');
      if (isFailure) remember(this.memory, entry.key, { announced: true });
    }
  }

  /** The user goes on talking. */
  #showOwn(key: string) {
    this.#unread.unmark();
    this.#unread.read(this.entries);
    if (this.follow === 'bottom') requestAnimationFrame(() => this.#follow.toEnd());
    else void this.#goTo(key, this.follow === 'off' ? 'intoView' : 'toTop');
  }

  get #view() {
    const top = this.#follow.following ? ('end' as const) : this.#top;
    return { top, height: this.#height };
  }

  #rows(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.row')];
  }

  #rowBelow(edge: number): HTMLElement | null {
    return this.#rows().find((row) => row.getBoundingClientRect().bottom > edge + 4) ?? null;
  }

  #rowOf(key: string): HTMLElement | null {
    return this.#rows().find((row) => row.dataset.key === key) ?? null;
  }

  /** Sees to it that a row is in the page. */
  async #bringIn(key: string): Promise<HTMLElement | null> {
    this.#goal = key;
    this.requestUpdate();
    await this.updateComplete;
    return this.#rowOf(key);
  }

  async #goTo(key: string, how: 'toRow' | 'toTop' | 'intoView') {
    const row = await this.#bringIn(key);
    // What is in the row is drawn by then, and nothing of it was painted.
    requestAnimationFrame(() => {
      if (row?.isConnected) this.#follow[how](row);
    });
  }

  /** Which entry the user is at: that with the focus, otherwise what is read. */
  #place(): number {
    const focused = this.shadowRoot?.activeElement?.closest<HTMLElement>('.row');
    const key = focused?.dataset.key ?? this.#follow.key;
    if (key !== null) return this.#window.heights.indexOf(key);
    return this.entries.length;
  }

  #look() {
    const scroller = this.renderRoot.querySelector('.scroller');
    this.#height = this.clientHeight;
    if (!scroller || this.#height === 0) return;
    this.#top = this.#topOf(scroller);
    if (this.#window.look(this.#view)) this.requestUpdate();
    const isNear = !this.#follow.following && this.#top < this.#height;
    const isShort = scroller.scrollHeight <= scroller.clientHeight;
    if (!this.hasEarlier || this.loading || this.#asked || !(isNear || isShort)) return;
    this.#asked = true;
    emit(this, 'inlay-load-earlier', {});
  }

  /** How far the view is below the top of the first row, in what rows are known to measure. */
  #topOf(scroller: Element): number {
    const { heights } = this.#window;
    const edge = scroller.getBoundingClientRect().top;
    const row = this.#rowBelow(edge);
    const below = row ? row.getBoundingClientRect().top - edge : Number.POSITIVE_INFINITY;
    // A gap may still be as tall as what was guessed before: what is drawn counts, where there is any.
    if (row && below < scroller.clientHeight) {
      return heights.topOf(heights.indexOf(row.dataset.key ?? '')) - below;
    }
    const first = this.renderRoot.querySelector('.row, .gap');
    return edge - (first?.getBoundingClientRect().top ?? edge);
  }

  /** Whether rows that are not drawn are taken for as tall as they were not before. */
  #measure(changes: readonly ResizeObserverEntry[]): boolean {
    const { heights } = this.#window;
    const { width: before } = heights;
    for (const { target } of changes) {
      const width = target.clientWidth;
      if (!target.matches('.scroller') || width === heights.width) continue;
      heights.reset(width);
      for (const row of this.#rows()) this.#remember(row);
    }
    for (const { target } of changes) {
      if (target instanceof HTMLElement && target.matches('.row')) this.#remember(target);
    }
    return heights.width !== before;
  }

  #remember(row: HTMLElement) {
    const { height } = row.getBoundingClientRect();
    if (height > 0) this.#window.heights.measured(row.dataset.key ?? '', height);
  }

  #handlePrint = ({ type }: Event) => {
    this.#printing = type === 'beforeprint';
    this.requestUpdate();
  };

  #handleTouch = ({ target }: Event) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('.row') : null;
    if (row) this.#held.touch(row);
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
    this.#unread.read(this.entries);
    if (count > 0 && first !== null) void this.#goTo(first, 'toRow');
    else this.scrollToEnd();
  };

  #renderItem(item: Item, position: number, count: number) {
    // By script, not as an attribute, which a Content Security Policy may forbid.
    if ('gap' in item) return html`<div class="gap" .style=${`block-size: ${item.gap}px`}></div>`;
    const { entry, index } = item;
    const { strings } = this;
    const last = index === this.entries.length - 1;
    const now = Date.now();
    const before = this.entries[index - 1];
    const today = dayOf(now);
    const begins = dayOf(entry.at) !== (before ? dayOf(before.at) : today);
    const fresh = this.#unread.first === entry.key;
    const place = isMessage(entry) ? { position, count } : null;
    return guard(
      [entry, last, begins && today, fresh, place && position, place && count, ...partsOf(this)],
      () => {
        const day = begins ? nameOfDay(strings, entry.at, now) : '';
        return viewOfRow(entry, this, { last, day, fresh, place });
      },
    );
  }

  #renderItems() {
    const { entries } = this;
    let messages = 0;
    let counted = 0;
    const positionOf = (index: number) => {
      for (; counted <= index; counted += 1) {
        const entry = entries[counted];
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
    return this.running && !(last && showsWork(last)) ? pulse : nothing;
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
          <div class="room"></div>
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
