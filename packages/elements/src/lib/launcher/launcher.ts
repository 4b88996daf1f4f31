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
import { EventKeeper } from '../event-keeper.ts';
import { emit } from '../events.ts';
import { LanguageController } from '../i18n/language-controller.ts';
import { lazy } from '../lazy.ts';
import { withoutAllowing } from '../options/allowed-origins.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { frame } from '../theme/frame.styles.ts';
import { SchemeController } from '../theme/scheme-controller.ts';
import { bubbleStyles } from './bubble.styles.ts';
import { hasFixedContainingBlock } from './fixed-containing-block.ts';
import { HistoryEntry } from './history-entry.ts';
import { styles } from './launcher.styles.ts';
import { LauncherOptions } from './launcher-options.ts';
import { type LauncherView, launcherView, unreadText } from './launcher-view.ts';
import { movePlace } from './move-place.ts';
import { Mover } from './mover.ts';
import { PanelController } from './panel-controller.ts';
import { type Direction, type Place, placeOf, setPixels, setPlace } from './place.ts';
import { TeaserController } from './teaser-controller.ts';
import { changeVisit, readVisit, shouldReopen, type Visit, visitName } from './visit.ts';

const chime = lazy(() => import('./chime.ts'));
const clearance = lazy(() => import('./keep-clear.ts'));

/**
 * @summary A bubble in the corner of the window that opens a chat. The chat is created when the
 * panel is first opened and keeps running while the panel is closed. The launcher has every option
 * of `inlay-chat` (`base-url`, and `token-url`, `getToken` or `publishable-key`).
 *
 * Users move the bubble by dragging, with Shift and the arrow keys, or from corner to corner with a
 * right click or a long press. It keeps clear of fixed elements of the page, such as a cookie bar. The
 * position is kept for the next visits; whether the panel is open and the unread count are kept across
 * page loads while the tab stays on the site (`draft-storage="memory"` keeps nothing). In a small window
 * the panel covers the page, and the back button closes it.
 *
 * @slot icon - Replaces the bubble's icon.
 * @slot avatar - A picture of the agent, before its name.
 * @slot header - Replaces the agent's name and description.
 * @slot actions - Buttons at the end of the header, before the close button.
 * @slot empty - Replaces the greeting and the suggestions.
 * @slot footer - Below the composer.
 *
 * @fires inlay-open-request - The panel is about to be opened. Prevent it to keep it closed.
 * @fires inlay-open - The panel was opened. The launcher also fires every event of `inlay-chat`.
 * @fires inlay-close-request - The panel is about to be closed. Prevent it to keep it open.
 * @fires inlay-close - The panel was closed.
 * @fires inlay-unread-change - The number of unread agent messages changed.
 *
 * @csspart bubble - The bubble.
 * @csspart badge - The number of unread agent messages.
 * @csspart panel - The box around the chat.
 * @csspart teaser - The box of the message beside the bubble.
 * @csspart teaser-text - The message itself.
 *
 * Every part of `inlay-chat` is also a part of the launcher: the chat's own parts as `chat__base`,
 * `chat__title-bar`, `chat__input-area` and `chat__conversations`, the others under the same name.
 */
export class InlayLauncher extends LauncherOptions {
  static override styles = [base, buttons, frame, bubbleStyles, styles];

  readonly #scheme = new SchemeController(this);
  readonly #panel = new PanelController(this, {
    isOpen: () => this.open,
    chat: () => this.chat,
    bubble: () => this.#bubble,
    close: () => this.hide(),
  });
  readonly #history = new HistoryEntry(this, {
    name: () => this.#visitName,
    onNavigate: (isOnEntry) => this.#handleNavigation(isOnEntry),
  });
  readonly #teaser = new TeaserController(this, {
    plan: () => this.#planTeaser(),
    onShow: () => this.#storeVisit({ teased: true }),
  });
  readonly #mover = new Mover({
    place: () => (this.noDrag ? null : this.#currentPlace),
    frame: () => this.#layer,
    onMove: (place) => this.#handleMove(place),
    onStep: (direction) => this.moveBubble(direction),
    onPress: () => this.toggle(),
  });
  readonly #language = new LanguageController(this, () => this);
  #hasPassedOptions = false;
  /** Text for the field of the chat, once it is created; null for none. */
  #draft: string | null = null;
  /** Whether the previous page was left while an agent message was pending. */
  #wasWaiting = false;
  /**
   * Whether the ancestors were checked, since the element was inserted, for styles that affect fixed
   * positioning.
   */
  #checkedAncestors = false;

  #reportedUnread = 0;

  /** Whether the chat was created. */
  @state() private chatCreated = false;

  @state() private unreadCount = 0;

  constructor() {
    super();
    new EventKeeper(this);
  }

  /** The chat inside; null until it is first opened. */
  get chat(): InlayChat | null {
    return this.renderRoot.querySelector('inlay-chat');
  }

  /** Number of agent messages that were completed while the panel was closed. */
  get unread(): number {
    return this.unreadCount;
  }

  /** Opens the panel and moves focus into it. No effect if it is open. */
  show(): void {
    if (this.open || !emit(this, 'inlay-open-request', {})) return;
    this.#panel.enter();
    this.open = true;
    this.#storeVisit({ open: true });
    emit(this, 'inlay-open', {});
  }

  /** Closes the panel. If focus was in the panel, it returns to the element that had it before. */
  hide(): void {
    if (!this.open || !emit(this, 'inlay-close-request', {})) return;
    this.open = false;
    this.#panel.leave(this.#dialog);
    this.#storeVisit({ open: false });
    emit(this, 'inlay-close', {});
  }

  /** Opens or closes the panel. */
  toggle(): void {
    if (this.open) this.hide();
    else this.show();
  }

  /**
   * Puts text into the text field, in place of the draft there (see `inlay-chat`). Opens nothing: before
   * the panel is first opened, the text is kept until then.
   */
  setDraft(text: string): void {
    if (this.#hasPassedOptions) void this.chat?.setDraft(text);
    else this.#draft = text;
  }

  /**
   * Shows the teaser now, even if it was shown before.
   * @param text - Text to show; by default `teaser`.
   */
  showTeaser(text = this.teaser): void {
    if (!this.open && text) this.#teaser.show(text);
  }

  /**
   * Moves the bubble without dragging: a step `Up` or `Down`, to the `Left` or `Right` side of the
   * window, or to the `Next` corner.
   */
  moveBubble(direction: Direction): void {
    const isRtl = getComputedStyle(this).direction === 'rtl';
    this.#handleMove(movePlace(this.#currentPlace, direction, isRtl));
  }

  /** Moves focus to the bubble, or into the panel if it is open. */
  override focus(options?: FocusOptions): void {
    if (this.open) this.chat?.focusComposer();
    else this.#bubble?.focus(options);
  }

  /** Resets the chat (see `inlay-chat`), the unread count and the stored state. */
  reset(): void {
    this.unreadCount = 0;
    this.#draft = null;
    this.#storeVisit({ open: undefined, unread: undefined, waiting: undefined });
    // A chat that was not opened on this page may have stored drafts on an earlier page.
    if (this.chat) this.chat.reset();
    else forgetDrafts(this.baseUrl, this.draftStorage);
  }

  /** Diagnoses the chat (see `inlay-chat`), which is created if needed. The panel is not opened. */
  async diagnose(options?: DiagnoseOptions): Promise<DiagnosisReport> {
    this.chatCreated = true;
    await this.updateComplete;
    const { chat } = this;
    if (!chat) throw new InlayError('INVALID_OPTION', 'The launcher is not on the page.');
    await chat.updateComplete;
    return chat.diagnose(options);
  }

  override connectedCallback() {
    super.connectedCallback();
    // The new ancestors may affect fixed positioning.
    this.#checkedAncestors = false;
    this.requestUpdate();
    void clearance.load().then((module) => module?.keepClear(this, () => this.avoid));
  }

  protected override scheduleUpdate() {
    const loading = this.hasUpdated ? null : this.#language.whenLoaded();
    if (loading === null) return super.scheduleUpdate();
    return loading.then(() => super.scheduleUpdate());
  }

  protected override willUpdate() {
    if (!this.hasUpdated) this.#restoreVisit();
    if (!this.open) return;
    this.chatCreated = true;
    this.#teaser.hide();
    if (this.unread > 0) this.#storeVisit({ unread: undefined });
    this.unreadCount = 0;
  }

  protected override updated(changed: PropertyValues<this>) {
    this.#passOptions(changed);
    const { unread } = this;
    if (unread !== this.#reportedUnread) emit(this, 'inlay-unread-change', { unread });
    this.#reportedUnread = unread;
    this.#applyStyleOptions();
    if (!this.#checkedAncestors || changed.has('open')) this.#enterTopLayer();
    const dialog = this.#dialog;
    if (dialog) this.#panel.show(dialog, this.#layer);
    this.#history.sync(this.open && this.#panel.covers);
  }

  /** Passes changed options to the chat, or all options to a new chat. */
  #passOptions(changed: PropertyValues<this>) {
    const { chat } = this;
    if (!chat) return;
    const names = [...ChatOptions.elementProperties.keys()] as (keyof ChatOptions)[];
    const passed = names.filter((name) => changed.has(name) || !this.#hasPassedOptions);
    // The launcher's options may come from its attributes.
    withoutAllowing(() => {
      for (const name of passed) Object.assign(chat, { [name]: this[name] });
    });
    this.#hasPassedOptions = true;
    if (this.#draft !== null) void chat.setDraft(this.#draft);
    this.#draft = null;
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
    return this.place ?? placeOf(this.placement ?? '');
  }

  get #visitName(): string {
    return visitName(this);
  }

  #storeVisit(change: Visit) {
    changeVisit(this.#visitName, change);
  }

  /** Restores the state that was stored on the previous page. */
  #restoreVisit() {
    const visit = readVisit(this.#visitName);
    this.place ??= visit.place ?? null;
    this.unreadCount = visit.unread?.count ?? 0;
    if (shouldReopen(this.#visitName, visit)) this.open = true;
    // The page sets `open` on each load, but the user has closed the panel.
    else if (visit.open === false) this.open = false;
    if (!visit.waiting) return;
    // An agent message is pending or was completed between the pages. It has to be counted even if
    // the panel is not opened.
    this.chatCreated = true;
    this.#wasWaiting = true;
    this.#storeVisit({ waiting: undefined });
  }

  /**
   * Applies the colour scheme, the position and the offsets to the layer. Sets style properties with the
   * CSSOM, because a Content Security Policy can forbid `style` attributes.
   */
  #applyStyleOptions() {
    const layer = this.#layer;
    this.#scheme.apply(layer, this.colorScheme);
    setPixels(layer, '--inlay-launcher-offset-inline', this.offsetInline);
    setPixels(layer, '--inlay-launcher-offset-block', this.offsetBlock);
    setPlace(layer, this.#currentPlace);
    layer.toggleAttribute('data-lifted', this.#currentPlace.up > 0);
  }

  /** Moves the layer to the top layer if an ancestor affects fixed positioning. */
  #enterTopLayer() {
    this.#checkedAncestors = true;
    const layer = this.#layer;
    const needsTopLayer = 'popover' in layer && hasFixedContainingBlock(this);
    layer.popover = needsTopLayer ? 'manual' : null;
    if (!needsTopLayer || layer.matches(':popover-open')) return;
    // WebKit keeps the old position unless the layer has no box before it enters the top layer.
    void layer.offsetWidth;
    layer.showPopover();
  }

  #planTeaser() {
    const { showWhen, teaser, teaserDelay } = this;
    if (!teaser || this.open || this.noBubble) return null;
    const visit = readVisit(this.#visitName);
    if (visit.teased || visit.open !== undefined) return null;
    return { text: teaser, delay: teaserDelay ?? 4, rules: showWhen, name: this.#visitName };
  }

  #handleNavigation(isOnEntry: boolean) {
    if (!this.#panel.covers) return;
    if (isOnEntry) this.show();
    else this.hide();
    // If the page has prevented opening or closing, the update restores the history entry.
    this.requestUpdate();
  }

  #handleMove(place: Place | null) {
    this.#teaser.hide();
    if (!place) return;
    this.place = place;
    this.#storeVisit({ place });
  }

  #handleKeydown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    if (!this.open && !this.#teaser.shown) return;
    event.preventDefault();
    if (this.open) this.hide();
    else this.#dismissTeaser();
  }

  #dismissTeaser() {
    this.#teaser.hide();
    this.#bubble?.focus({ preventScroll: true });
  }

  /** Handles a close request of the browser, such as the back gesture of a phone. */
  #handleDialog(event: Event) {
    const dialog = this.#dialog;
    if (!dialog || event.target !== dialog) return;
    event.preventDefault();
    if (event.type === 'cancel') this.hide();
    // Some browsers close the dialog even if `cancel` was prevented.
    else if (this.open && !dialog.open) {
      this.hide();
      this.requestUpdate();
    }
  }

  /** Counts the messages that were completed before the chat was loaded. */
  #handleLoaded({ detail: { running, answers } }: HTMLElementEventMap['inlay-conversation-load']) {
    if (!this.#wasWaiting) return;
    this.#wasWaiting = false;
    if (running) this.#storeVisit({ waiting: true });
    else this.#count(answers);
  }

  #handleAnswer() {
    this.#storeVisit({ waiting: undefined });
    if (this.#count(1) && this.sound) {
      void chime.load().then((module) => module?.playChime());
    }
  }

  /** Adds to the unread count if the panel is closed. Returns whether any were added. */
  #count(answers: number): boolean {
    if (this.open || answers === 0) return false;
    this.unreadCount += answers;
    const label = `${this.#language.strings.openChat}, ${unreadText(this.#view)}`;
    this.#storeVisit({ unread: { count: this.unread, label } });
    return true;
  }

  get #view(): LauncherView {
    const { dir, open, chatCreated, heading, unread, noBubble, noDrag } = this;
    return {
      ...{ dir, open, chatCreated, heading, unread, noBubble, noDrag },
      strings: this.#language.strings,
      teaser: this.#teaser,
      mover: this.#mover,
      isFilled: (slot) => this.querySelector(`:scope > [slot='${slot}']`) !== null,
      onFill: () => this.requestUpdate(),
      onKeydown: (event) => this.#handleKeydown(event),
      onOpen: () => this.show(),
      onClose: () => this.hide(),
      onDismiss: () => this.#dismissTeaser(),
      onDialog: (event) => this.#handleDialog(event),
      onSent: () => this.#storeVisit({ waiting: true }),
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
