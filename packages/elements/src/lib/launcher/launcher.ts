import {
  type DiagnoseOptions,
  type DiagnosisReport,
  forgetDrafts,
  InlayError,
} from '@inlay/client';
import type { PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import type { InlayChat } from '../chat/chat.ts';
import { ChatOptions } from '../chat/chat-options.ts';
import { LanguageController } from '../controllers/language-controller.ts';
import { emit } from '../events.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { frame } from '../theme/frame.styles.ts';
import { SchemeController } from '../theme/scheme-controller.ts';
import { bubbleStyles } from './bubble.styles.ts';
import { HistoryEntry } from './history-entry.ts';
import { styles } from './launcher.styles.ts';
import { LauncherOptions } from './launcher-options.ts';
import { type LauncherView, launcherView, unreadWords } from './launcher-view.ts';
import { movePlace } from './move-place.ts';
import { Mover } from './mover.ts';
import { PanelController } from './panel-controller.ts';
import { type Direction, type Place, placeOf, setPixels, setPlace } from './place.ts';
import { TeaserController } from './teaser-controller.ts';
import { isTrapped } from './trapped.ts';
import { changeVisit, opensAgain, readVisit, type Visit, visitName } from './visit.ts';

/**
 * @summary A bubble in the corner of the window that opens a chat. The chat is made when it is
 * first opened, takes every option of `inlay-chat` (`base-url`, and `token-url`, `getToken` or
 * `publishable-key`), and goes on while the panel is closed.
 *
 * People move the bubble by dragging it, with Shift and the arrow keys, or corner by corner with the
 * second mouse button or a long press. Where it stands, whether the panel is open, and what is unread
 * is kept from page to page for as long as the tab stays on the site (`draft-storage="memory"` keeps
 * nothing). In a small window the panel covers the page, and the back button closes it.
 *
 * @slot icon - Replaces the bubble's icon.
 * @slot avatar - A picture of the agent, before its name.
 * @slot header - Replaces the agent's name and description.
 * @slot actions - Buttons at the end of the header, before the one that closes the panel.
 * @slot empty - Replaces the greeting and the suggestions.
 * @slot footer - Below the composer.
 *
 * @fires inlay-open-request - The panel is about to be opened. Prevent it to keep it closed.
 * @fires inlay-open - The panel was opened. Every event of `inlay-chat` passes as well.
 * @fires inlay-close-request - The panel is about to be closed. Prevent it to keep it open.
 * @fires inlay-close - The panel was closed.
 *
 * @csspart bubble - The bubble.
 * @csspart badge - The number of answers that were finished while the panel was closed.
 * @csspart panel - The box around the chat.
 * @csspart teaser - The box of the message beside the bubble.
 * @csspart teaser-text - The message itself.
 *
 * Every part of `inlay-chat` is a part of the launcher as well: its own as `chat__base`, `chat__title-bar`,
 * `chat__input-area` and `chat__threads`, the others under the same name.
 */
export class InlayLauncher extends LauncherOptions {
  static override styles = [base, buttons, frame, bubbleStyles, styles];

  readonly #scheme = new SchemeController(this);
  readonly #panel = new PanelController(this, {
    opened: () => this.opened,
    chat: () => this.chat,
    bubble: () => this.#bubble,
  });
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
  #passed = false;
  /** Whether the page before was left without the answer to a message. */
  #waits = false;
  /** Whether it was looked into what the page does with fixed elements, since it was put there. */
  #placed = false;

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
    this.#panel.enter();
    this.opened = true;
    this.#remember({ open: true });
    emit(this, 'inlay-open', {});
  }

  /** Closes the panel. The focus, if it was in the panel, goes back to where it came from. */
  close(): void {
    if (!this.opened || !emit(this, 'inlay-close-request', {})) return;
    this.opened = false;
    this.#panel.leave(this.#dialog);
    this.#remember({ open: false });
    emit(this, 'inlay-close', {});
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
    // A chat that was not opened on this page may have left drafts on the page before.
    if (this.chat) this.chat.reset();
    else forgetDrafts(this.baseUrl, this.draftStorage);
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
    const dialog = this.#dialog;
    if (dialog) this.#panel.show(dialog, this.#layer);
    this.#history.sync(this.opened && this.#panel.covers);
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

  get #dialog(): HTMLDialogElement | null {
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
    // The page opens it each time; the user has closed it.
    else if (visit.open === false) this.opened = false;
    if (!visit.waiting) return;
    // An answer is on its way or was finished between the pages, and is to be counted although
    // nobody opens the panel.
    this.made = true;
    this.#waits = true;
    this.#remember({ waiting: undefined });
  }

  /** What a page may set on the element reaches what is drawn, without a style attribute of its own. */
  #dress() {
    const layer = this.#layer;
    this.#scheme.write(layer, this.colorScheme);
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
    if (!trapped || layer.matches(':popover-open')) return;
    // Without a box before: WebKit leaves one that it had where the ancestor has put it.
    void layer.offsetWidth;
    layer.showPopover();
  }

  #planTeaser() {
    const { teaser, teaserDelay } = this;
    if (!teaser || this.opened || this.noBubble) return null;
    const visit = readVisit(this.#visitName);
    if (visit.teased || visit.open !== undefined) return null;
    return { text: teaser, delay: teaserDelay };
  }

  #handleTravel(isOwn: boolean) {
    if (!this.#panel.covers) return;
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
  #handleDialog(event: Event) {
    const dialog = this.#dialog;
    if (!dialog || event.target !== dialog) return;
    event.preventDefault();
    if (event.type === 'cancel') this.close();
    // Where the browser insists, it closes the dialog by itself.
    else if (this.opened && !dialog.open) {
      this.close();
      this.requestUpdate();
    }
  }

  /** A chat that was made to wait for an answer finds the conversation as it is by now. */
  #handleLoaded({ detail: { running, answers } }: HTMLElementEventMap['inlay-conversation-load']) {
    if (!this.#waits) return;
    this.#waits = false;
    if (running) this.#remember({ waiting: true });
    else this.#count(answers);
  }

  #handleAnswer() {
    this.#remember({ waiting: undefined });
    if (this.#count(1) && this.sound) {
      void import('./chime.ts').then(
        ({ playChime }) => playChime(),
        () => {},
      );
    }
  }

  /** Counts answers that nobody sees. True where there are any. */
  #count(answers: number): boolean {
    if (this.opened || answers === 0) return false;
    this.unread += answers;
    const label = `${this.#language.strings.openChat}, ${unreadWords(this.#view)}`;
    this.#remember({ unread: { count: this.unread, label } });
    return true;
  }

  get #view(): LauncherView {
    const { dir, opened, made, heading, unread, noBubble, noDrag } = this;
    return {
      ...{ dir, opened, made, heading, unread, noBubble, noDrag },
      words: this.#language.strings,
      teaser: this.#teaser.text,
      mover: this.#mover,
      isFilled: (slot) => this.querySelector(`:scope > [slot='${slot}']`) !== null,
      onFill: () => this.requestUpdate(),
      onKeydown: (event) => this.#handleKeydown(event),
      onOpen: () => this.open(),
      onClose: () => this.close(),
      onDismiss: () => this.#dismissTeaser(),
      onDialog: (event) => this.#handleDialog(event),
      onSent: () => this.#remember({ waiting: true }),
      onAnswer: () => this.#handleAnswer(),
      onLoaded: (event) => this.#handleLoaded(event),
    };
  }

  protected override render() {
    return launcherView(this.#view);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-launcher': InlayLauncher;
  }
}
