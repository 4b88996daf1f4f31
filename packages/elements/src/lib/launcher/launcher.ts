import { type DiagnoseOptions, type DiagnosisReport, InlayError } from '@inlay/client';
import { html, nothing, type PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import type { InlayChat } from '../chat/chat.ts';
import { ChatOptions } from '../chat/chat-options.ts';
import { LanguageController } from '../controllers/language-controller.ts';
import { ViewportController } from '../controllers/viewport-controller.ts';
import { emit } from '../events.ts';
import { plural } from '../i18n/format.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { bubbleStyles } from './bubble.styles.ts';
import { focusedElement } from './focused.ts';
import { HistoryEntry } from './history-entry.ts';
import { styles } from './launcher.styles.ts';
import { LauncherOptions } from './launcher-options.ts';
import { movePlace } from './move-place.ts';
import { Mover } from './mover.ts';
import { type Direction, type Place, placeOf, setPlace } from './place.ts';
import { lockScroll } from './scroll-lock.ts';
import { renderTeaser } from './teaser.ts';
import { TeaserController } from './teaser-controller.ts';
import { isTrapped } from './trapped.ts';
import { changeVisit, covering, opensAgain, readVisit, type Visit, visitName } from './visit.ts';

/**
 * @summary A bubble in the corner of the window that opens a chat. The chat is made when it is
 * first opened, takes every option of `inlay-chat` (`base-url`, and `token-url`, `getToken` or
 * `publishable-key`), and goes on while the panel is closed.
 *
 * People move the bubble by dragging it, with Shift and the arrow keys, or corner by corner with the
 * second mouse button or a long press. Where it stands, whether the panel is open, and what is unread
 * is kept from page to page for as long as the tab stays on the site (`text-storage="memory"` keeps
 * nothing). In a small window the panel covers the page, and the back button closes it.
 *
 * @slot icon - Replaces the bubble's icon.
 *
 * @fires inlay-open-request - The panel is about to be opened. Prevent it to keep it closed.
 * @fires inlay-close-request - The panel is about to be closed. Prevent it to keep it open.
 * @fires inlay-toggle - The panel was opened or closed. Every event of `inlay-chat` passes as well.
 *
 * @csspart bubble-button - The bubble.
 * @csspart badge - The number of answers that were finished while the panel was closed.
 * @csspart panel - The box around the chat.
 * @csspart teaser - The box of the message beside the bubble.
 * @csspart teaser-text - The message itself.
 */
export class InlayLauncher extends LauncherOptions {
  static override styles = [base, buttons, bubbleStyles, styles];

  readonly #viewport = new ViewportController(this, covering);
  readonly #history = new HistoryEntry(this, {
    name: () => this.#visitName,
    onTravel: (isOwn) => this.#handleTravel(isOwn),
  });
  readonly #teaser = new TeaserController(this, {
    plan: () => this.#planTeaser(),
    onShow: () => this.#remember({ teased: true }),
  });
  readonly #mover = new Mover({
    place: () => (this.noDrag ? null : this.#currentPlace),
    frame: () => this.#layer,
    onMove: (place) => this.#handleMove(place),
    onWish: (direction) => this.moveBubble(direction),
    onPress: () => this.toggle(),
  });
  readonly #language = new LanguageController(this, () => this);
  #unlock: (() => void) | null = null;
  #passed = false;
  /** Whether it was looked into what the page does with fixed elements, since it was put there. */
  #placed = false;
  /** Whether the panel was opened by someone, and takes the focus. */
  #wantsFocus = false;
  /** What had the focus before the panel took it. */
  #opener: HTMLElement | null = null;

  /** Whether the chat was made. */
  @state() private made = false;

  /** How many answers were finished while the panel was closed. */
  @state() private unread = 0;

  /** The chat inside; null until it is first opened. */
  get chat(): InlayChat | null {
    return this.renderRoot.querySelector('inlay-chat');
  }

  /** Opens the panel and puts the focus into it. Opening it twice does nothing. */
  open(): void {
    if (this.opened || !emit(this, 'inlay-open-request', {})) return;
    this.#opener = focusedElement();
    this.opened = true;
    this.#wantsFocus = true;
    this.#remember({ open: true });
    emit(this, 'inlay-toggle', { open: true });
  }

  /** Closes the panel. The focus, if it was in the panel, goes back to where it came from. */
  close(): void {
    if (!this.opened || !emit(this, 'inlay-close-request', {})) return;
    const panel = this.#panel;
    const takesBack = panel?.matches(':focus-within, :modal') ?? false;
    this.opened = false;
    this.#remember({ open: false });
    emit(this, 'inlay-toggle', { open: false });
    if (takesBack) void this.updateComplete.then(() => this.#giveBackFocus());
  }

  /** Opens the panel, or closes it. */
  toggle(): void {
    if (this.opened) this.close();
    else this.open();
  }

  /** Shows the teaser now, whatever was shown before; another text than `teaser` if one is given. */
  showTeaser(text = this.teaser): void {
    if (!this.opened && text) this.#teaser.show(text);
  }

  /**
   * Moves the bubble for somebody who does not drag it: a step `Up` or `Down`, to the `Left` or
   * `Right` side of the window, or to the `Next` corner.
   */
  moveBubble(direction: Direction): void {
    const isRtl = getComputedStyle(this).direction === 'rtl';
    this.#handleMove(movePlace(this.#currentPlace, direction, isRtl));
  }

  /** Puts the focus on the bubble, or into the panel where that is open. */
  override focus(options?: FocusOptions): void {
    if (this.opened) this.chat?.focusComposer();
    else this.#bubble?.focus(options);
  }

  /** As that of `inlay-chat`; besides, nothing is unread any more, and what was open is forgotten. */
  reset(): void {
    this.unread = 0;
    this.#remember({ open: undefined, unread: undefined, waiting: undefined });
    this.chat?.reset();
  }

  /** As that of `inlay-chat`, which is made for it if it was never opened; the panel stays as it is. */
  async diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport> {
    this.made = true;
    await this.updateComplete;
    const { chat } = this;
    if (!chat) throw new InlayError('INVALID_OPTION', 'The launcher is not on the page.');
    await chat.updateComplete;
    return chat.diagnose(options);
  }

  override connectedCallback() {
    super.connectedCallback();
    // What it holds of the page was let go when it was taken out.
    this.#placed = false;
    this.requestUpdate();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#unlock?.();
    this.#unlock = null;
  }

  protected override scheduleUpdate() {
    const arrival = this.hasUpdated ? null : this.#language.arrival();
    if (arrival === null) return super.scheduleUpdate();
    return arrival.then(() => super.scheduleUpdate());
  }

  protected override willUpdate() {
    if (!this.hasUpdated) this.#recall();
    if (!this.opened) return;
    this.made = true;
    this.#teaser.hide();
    if (this.unread > 0) this.#remember({ unread: undefined });
    this.unread = 0;
  }

  protected override updated(changed: PropertyValues<this>) {
    this.#passOptions(changed);
    this.#dress();
    if (!this.#placed || changed.has('opened')) this.#rise();
    const panel = this.#panel;
    if (panel) this.#show(panel);
    this.#history.sync(this.opened && this.#viewport.covers);
    if (panel && changed.has('opened') && this.opened && this.#wantsFocus) {
      void this.#takeFocus(panel);
    }
  }

  /** Every option is the chat's as well. A chat that was just made has none yet. */
  #passOptions(changed: PropertyValues<this>) {
    const { chat } = this;
    if (!chat) return;
    for (const name of ChatOptions.elementProperties.keys() as Iterable<keyof ChatOptions>) {
      if (changed.has(name) || !this.#passed) Object.assign(chat, { [name]: this[name] });
    }
    this.#passed = true;
  }

  get #layer(): HTMLElement {
    return this.renderRoot.querySelector('.layer') as HTMLElement;
  }

  get #panel(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  get #bubble(): HTMLButtonElement | null {
    return this.renderRoot.querySelector('.bubble');
  }

  get #currentPlace(): Place {
    return this.place ?? placeOf(this.placement);
  }

  get #visitName(): string {
    return visitName(this);
  }

  #remember(change: Visit) {
    changeVisit(this.#visitName, change);
  }

  /** Begins where the page before has left off. */
  #recall() {
    const visit = readVisit(this.#visitName);
    this.place ??= visit.place ?? null;
    this.unread = visit.unread?.count ?? 0;
    if (opensAgain(this.#visitName, visit)) this.opened = true;
    // The page opens it each time; the person has closed it.
    else if (visit.open === false) this.opened = false;
    if (!visit.waiting) return;
    // An answer is on its way, and is to be counted although nobody opens the panel.
    this.made = true;
    this.#remember({ waiting: undefined });
  }

  /** What a page may set on the element reaches what is drawn, without a style attribute of its own. */
  #dress() {
    const layer = this.#layer;
    const scheme = this.colorScheme || 'auto';
    layer.style.setProperty('color-scheme', scheme === 'auto' ? 'light dark' : scheme);
    setPixels(layer, '--inlay-launcher-offset-inline', this.offsetInline);
    setPixels(layer, '--inlay-launcher-offset-block', this.offsetBlock);
    setPlace(layer, this.#currentPlace);
    layer.toggleAttribute('data-lifted', this.#currentPlace.up > 0);
  }

  /** Into the top layer, over whatever the page has, only where it leaves no other way. */
  #rise() {
    this.#placed = true;
    const layer = this.#layer;
    const trapped = 'popover' in layer && isTrapped(this);
    layer.popover = trapped ? 'manual' : null;
    if (trapped && !layer.matches(':popover-open')) layer.showPopover();
  }

  /** A panel that covers the page is modal; one beside it leaves the page usable. */
  #show(panel: HTMLDialogElement) {
    const { besideKeyboard, covers } = this.#viewport;
    const zoom = (panel as { currentCSSZoom?: number }).currentCSSZoom ?? 1;
    setPixels(panel, '--viewport-top', besideKeyboard && besideKeyboard.top / zoom);
    setPixels(panel, '--viewport-height', besideKeyboard && besideKeyboard.height / zoom);
    panel.toggleAttribute('data-keyboard', besideKeyboard !== null);

    const modal = this.opened && covers;
    if (modal !== panel.matches(':modal')) {
      // A phone that is turned must not take the field away from someone who writes.
      const focused = this.chat?.shadowRoot?.activeElement;
      panel.close();
      // Only for this call, which would look for a button: one in a page takes the focus on its load.
      panel.autofocus = true;
      if (modal) panel.showModal();
      panel.autofocus = false;
      if (this.opened && focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    }
    // Not `show()`, which takes the focus also when the page opened the panel by itself.
    panel.toggleAttribute('open', this.opened);

    if (modal) this.#unlock ??= lockScroll();
    else {
      this.#unlock?.();
      this.#unlock = null;
    }
  }

  async #takeFocus(panel: HTMLDialogElement) {
    this.#wantsFocus = false;
    const { chat } = this;
    await chat?.updateComplete;
    if (!this.opened) return;
    // On a touch screen the composer would bring the keyboard up over what there is to read.
    if (matchMedia('(pointer: coarse)').matches) panel.focus({ preventScroll: true });
    else chat?.focusComposer();
  }

  #giveBackFocus() {
    if (this.opened) return;
    const opener = this.#opener;
    this.#opener = null;
    if (opener?.isConnected) opener.focus({ preventScroll: true });
    if (!opener || focusedElement() !== opener) this.#bubble?.focus({ preventScroll: true });
  }

  #planTeaser() {
    const { teaser, teaserDelay } = this;
    if (!teaser || this.opened || this.hideBubble) return null;
    const visit = readVisit(this.#visitName);
    if (visit.teased || visit.open !== undefined) return null;
    return { text: teaser, delay: teaserDelay };
  }

  #handleTravel(isOwn: boolean) {
    if (!this.#viewport.covers) return;
    if (isOwn) this.open();
    else this.close();
    // Where the page has kept it as it was, the history is put right.
    this.requestUpdate();
  }

  #handleMove(place: Place | null) {
    this.#teaser.hide();
    if (!place) return;
    this.place = place;
    this.#remember({ place });
  }

  #handleKeydown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    if (!this.opened && !this.#teaser.text) return;
    event.preventDefault();
    if (this.opened) this.close();
    else this.#dismissTeaser();
  }

  #dismissTeaser() {
    this.#teaser.hide();
    this.#bubble?.focus({ preventScroll: true });
  }

  /** The browser's own way to close a modal dialog, such as a phone's back gesture. */
  #handleCancel(event: Event) {
    if (event.target !== this.#panel) return;
    event.preventDefault();
    this.close();
  }

  /** Where the browser insists, it closes the dialog by itself. */
  #handleClose(event: Event) {
    if (event.target !== this.#panel || !this.opened || this.#panel?.open) return;
    this.close();
    this.requestUpdate();
  }

  #handleAnswer() {
    const waiting = undefined;
    if (this.opened) return this.#remember({ waiting });
    this.unread += 1;
    const words = this.#language.strings;
    const label = `${words.openChat}, ${plural(words, words.unread, this.unread)}`;
    this.#remember({ waiting, unread: { count: this.unread, label } });
    if (this.sound)
      void import('./chime.ts').then(
        ({ playChime }) => playChime(),
        () => {},
      );
  }

  #renderPanel() {
    const words = this.#language.strings;
    return html`<dialog
      class="panel"
      id="panel"
      part="panel"
      tabindex="-1"
      aria-label=${this.heading || words.chatLabel}
      @cancel=${this.#handleCancel}
      @close=${this.#handleClose}
    >
      <inlay-chat
        dir=${this.dir || nothing}
        exportparts="root, header, foot, scroller, bubble, answer, actions, jump, greeting, starter, banner, form, field, send, stop, disclaimer"
        @inlay-message-sent=${() => this.#remember({ waiting: true })}
        @inlay-answer=${this.#handleAnswer}
      >
        <button
          slot="actions"
          class="icon-button"
          aria-label=${words.closeChat}
          title=${words.closeChat}
          @click=${this.close}
        >
          ${icons.close}
        </button>
      </inlay-chat>
    </dialog>`;
  }

  #renderBubble() {
    const words = this.#language.strings;
    const count = this.unread > 0 ? plural(words, words.unread, this.unread) : '';
    const label = this.opened ? words.closeChat : words.openChat;
    const mover = this.#mover;
    return html`
      ${renderTeaser({
        words,
        text: this.#teaser.text,
        onOpen: () => this.open(),
        onDismiss: () => this.#dismissTeaser(),
      })}
      <button
        class="bubble ${this.noDrag ? '' : 'movable'}"
        part="bubble-button"
        aria-label=${count ? `${label}, ${count}` : label}
        aria-expanded=${this.opened}
        aria-haspopup="dialog"
        aria-controls=${this.made ? 'panel' : nothing}
        @pointerdown=${mover}
        @pointermove=${mover}
        @pointerup=${mover}
        @pointercancel=${mover}
        @keydown=${mover}
        @contextmenu=${mover}
        @dragstart=${mover}
        @click=${mover}
      >
        ${this.opened ? icons.chevron : html`<slot name="icon">${icons.chat}</slot>`}
        ${
          count
            ? html`<span class="badge" part="badge" aria-hidden="true"
                >${this.unread > 9 ? '9+' : this.unread}</span
              >`
            : nothing
        }
      </button>
      <div class="visually-hidden" role="status">${count}</div>
    `;
  }

  protected override render() {
    return html`<div class="layer" lang=${this.#language.strings.locale} @keydown=${this.#handleKeydown}>
      ${this.made ? this.#renderPanel() : nothing}
      ${this.hideBubble ? nothing : html`<div class="corner">${this.#renderBubble()}</div>`}
    </div>`;
  }
}

/** Sets a custom property to a length; null takes it away. */
function setPixels({ style }: HTMLElement, name: string, pixels: number | null) {
  style.setProperty(name, pixels === null ? '' : `${pixels}px`);
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-launcher': InlayLauncher;
  }
}
