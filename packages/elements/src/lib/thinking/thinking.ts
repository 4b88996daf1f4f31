import type { ThinkingEntry } from '@inlay/client';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type EntryUiStates, updateUiState } from '../entry-ui-state.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { duration } from '../i18n/amounts.ts';
import { format } from '../i18n/format.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { styles } from './thinking.styles.ts';

/** Distance from the end within which the text is scrolled as it grows, in CSS pixels. */
const nearEndDistance = 24;

/**
 * @summary The agent's thinking, collapsed, with its duration.
 *
 * @csspart summary - The line that expands and collapses the text.
 * @csspart text - The text of the thinking.
 * @internal
 */
export class InlayThinking extends LitElement {
  static override styles = [base, styles];

  #timer: ReturnType<typeof setInterval> | undefined;
  /** When streaming was first observed, by the page's clock, because the server's clock may differ. */
  #startedAt = 0;
  #followsEnd = true;

  /** Duration so far, in milliseconds. */
  @state() private elapsed = 0;

  /** The entry of the thinking. */
  @property({ attribute: false }) entry: ThinkingEntry | null = null;

  /**
   * UI state of the entries, by key: whether the text is expanded. It is stored outside this element,
   * which the message list removes on scrolling.
   */
  @property({ attribute: false }) uiStates: EntryUiStates = new Map();

  /** Whether the entry can still change. The duration stops while it can't, for example without access. */
  @property({ attribute: false }) running = true;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  get #live(): boolean {
    return this.entry?.progress === 'streaming';
  }

  get #box(): HTMLElement | null {
    return this.renderRoot.querySelector('.text');
  }

  override connectedCallback() {
    super.connectedCallback();
    this.#tick();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (!changed.has('entry') && !changed.has('running')) return;
    if (changed.has('entry') && changed.get('entry')?.key !== this.entry?.key) {
      this.#startedAt = 0;
      this.#followsEnd = true;
    }
    this.#tick();
  }

  protected override updated() {
    const box = this.#box;
    if (box && this.#live && this.#followsEnd) box.scrollTop = box.scrollHeight;
  }

  /** Updates the duration every second while it streams and the element is connected. */
  #tick() {
    if (!this.#live || !this.running || !this.isConnected) return this.#stop();
    this.#startedAt ||= Date.now();
    this.elapsed = Date.now() - this.#startedAt;
    this.#timer ??= setInterval(() => {
      this.elapsed = Date.now() - this.#startedAt;
    }, 1000);
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #handleScroll() {
    const box = this.#box;
    if (box)
      this.#followsEnd = box.scrollHeight - box.scrollTop - box.clientHeight < nearEndDistance;
  }

  #handleToggle(event: Event) {
    if (!this.entry || !(event.target instanceof HTMLDetailsElement)) return;
    updateUiState(this.uiStates, this.entry.key, { open: event.target.open });
    if (event.target.open) this.requestUpdate();
  }

  #renderLabel({ progress, at, endedAt }: ThinkingEntry) {
    const { strings, elapsed } = this;
    if (progress === 'streaming') {
      const label =
        elapsed < 1000
          ? strings.thinking
          : format(strings.thinkingFor, { duration: duration(strings, elapsed) });
      // The duration is hidden from screen readers, which would read it every second.
      return html`<span class="visually-hidden">${strings.thinking}</span>
        <span class="live" aria-hidden="true">${label}</span>`;
    }
    if (progress !== 'done' || endedAt === null)
      return html`<span>${strings.thoughtStopped}</span>`;
    const durationText = duration(strings, endedAt - at);
    return html`<span>${format(strings.thoughtFor, { duration: durationText })}</span>`;
  }

  protected override render() {
    const { entry } = this;
    if (!entry) return nothing;
    const label = this.#renderLabel(entry);
    // Some models do not return the text of their thinking.
    if (!entry.text) return html`<div class="line">${label}</div>`;
    return html`<details
      ?open=${this.uiStates.get(entry.key)?.open ?? false}
      @toggle=${this.#handleToggle}
    >
      <summary part="summary">${label} ${icons.chevron}</summary>
      <div
        class="text"
        part="text"
        dir="auto"
        tabindex="0"
        role="group"
        aria-label=${this.strings.thinking}
        @scroll=${this.#handleScroll}
        >${entry.text}</div
      >
    </details>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-thinking': InlayThinking;
  }
}
