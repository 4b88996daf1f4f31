import type { AgentEntry } from '@inlay/client';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type EntryUiStates, updateUiState } from '../entry-ui-state.ts';
import { emit } from '../events.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { timeOf } from '../i18n/times.ts';
import { icons } from '../icons/icons.ts';
import { lazy } from '../lazy.ts';
import { loadElement, requestElement } from '../lazy-elements.ts';
import { extras } from '../markdown/extras.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { actionStyles } from './action.styles.ts';
import { styles } from './answer-actions.styles.ts';
import { CopyController } from './copy-controller.ts';
import { type MessageAction, renderMessageActions } from './message-actions.ts';
import type { QuoteController } from './quote-controller.ts';
import type { ReadAloudController } from './read-aloud-controller.ts';
import { ToolbarController } from './toolbar-controller.ts';

const quoteModule = lazy(() => import('./quote-controller.ts'));
const readAloudModule = lazy(() => import('./read-aloud-controller.ts'));
const richText = lazy(() => import('./rich-text.ts'));

type Rating = 'up' | 'down';

/**
 * @summary The actions of an agent message: copy, read aloud, regenerate, rate with feedback, quote, and
 * custom actions of the page.
 *
 * @slot actions - Additional buttons.
 *
 * @fires inlay-again - The user wants to regenerate the agent message.
 * @fires inlay-announce - Requests an announcement that the agent message was copied or rated, or can't be
 *   read aloud.
 * @fires inlay-quote - The user quotes a part of the agent message.
 * @fires inlay-entry-rating-request - The user rates the agent message or adds reasons.
 *
 * @csspart base - The row of buttons.
 * @csspart action - A custom button.
 * @csspart feedback__base - The feedback form.
 * @csspart quote - The quote button below a text selection.
 * @internal
 */
export class InlayAnswerActions extends LitElement {
  static override styles = [base, buttons, actionStyles, styles];

  constructor() {
    super();
    new ToolbarController(this);
  }

  readonly #copy = new CopyController(this, () => {
    const content = this.content();
    const html = content && (() => richTextOf(content));
    const text = this.entry?.text ?? '';
    return { text: extras()?.withoutCitationMarks(text) ?? text, html };
  });
  #quote: QuoteController | undefined;
  #readAloud: ReadAloudController | undefined;

  /** Whether the user has just sent feedback. */
  @state() private feedbackSent = false;

  /** The entry of the agent message. */
  @property({ attribute: false }) entry: AgentEntry | null = null;

  /** Returns the element with the rendered message. */
  @property({ attribute: false }) content: () => Element | null = () => null;

  /** Whether the agent message can be rated. */
  @property({ type: Boolean }) rateable = false;

  /** Whether the agent message can be regenerated. */
  @property({ type: Boolean }) repeatable = false;

  /** Whether parts of the agent message can be quoted. */
  @property({ type: Boolean }) quotable = false;

  /** Whether the agent message can be read aloud, if the browser supports it. */
  @property({ type: Boolean }) speakable = false;

  /** Custom buttons. */
  @property({ attribute: false }) messageActions: readonly MessageAction[] = [];

  /** Stores unsent feedback while the element is not in the document. */
  @property({ attribute: false }) uiStates: EntryUiStates = new Map();

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  override connectedCallback() {
    super.connectedCallback();
    if (!this.#quote) document.addEventListener('selectionchange', this.#loadQuote);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('selectionchange', this.#loadQuote);
  }

  /** Loads the module for quotes once the user selects something. If that fails, the next selection retries. */
  readonly #loadQuote = async () => {
    const source = () => (this.quotable ? this.content() : null);
    const module = source() && (await quoteModule.load());
    if (!module || this.#quote) return;
    document.removeEventListener('selectionchange', this.#loadQuote);
    this.#quote = new module.QuoteController(this, source);
    this.#quote.update();
  };

  readonly #toggleReadAloud = async () => {
    // iOS allows speech only after a call in the task of a click, and the module is loaded after it.
    speechSynthesis.speak(new SpeechSynthesisUtterance());
    const module = await readAloudModule.load();
    if (!module) {
      emit(this, 'inlay-announce', { text: this.strings.partFailed });
      return;
    }
    this.#readAloud ??= new module.ReadAloudController(this, () => this.content());
    this.#readAloud.toggle();
  };

  protected override willUpdate(changed: PropertyValues<this>) {
    if (!changed.has('entry') || changed.get('entry')?.key === this.entry?.key) return;
    this.feedbackSent = false;
    if (this.entry && this.uiStates.get(this.entry.key)?.feedback) requestElement('inlay-feedback');
  }

  #rate(entry: AgentEntry, rating: Rating) {
    if (
      !emit(this, 'inlay-entry-rating-request', {
        key: entry.key,
        rating,
        reasons: [],
        comment: '',
      })
    )
      return;
    this.feedbackSent = false;
    const previous = this.uiStates.get(entry.key)?.feedback;
    const feedback = previous?.rating === rating ? undefined : { rating, reasons: [], comment: '' };
    updateUiState(this.uiStates, entry.key, { feedback });
    this.requestUpdate();
    if (!feedback) return;
    void loadElement('inlay-feedback');
    const { feedbackUp, feedbackDown } = this.strings;
    emit(this, 'inlay-announce', { text: rating === 'up' ? feedbackUp : feedbackDown });
  }

  async #handleFeedbackEnd(entry: AgentEntry, { detail }: CustomEvent<{ sent: boolean }>) {
    const rating = this.uiStates.get(entry.key)?.feedback?.rating;
    updateUiState(this.uiStates, entry.key, { feedback: undefined });
    this.feedbackSent = detail.sent;
    this.requestUpdate();
    if (detail.sent) emit(this, 'inlay-announce', { text: this.strings.feedbackThanks });
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`.${rating}`)?.focus({ preventScroll: true });
  }

  #renderRating(entry: AgentEntry, rating: Rating) {
    const label = rating === 'up' ? this.strings.goodAnswer : this.strings.badAnswer;
    return html`<button
      class="icon-button ${rating}"
      aria-label=${label}
      title=${label}
      aria-pressed=${entry.feedback === rating}
      @click=${() => this.#rate(entry, rating)}
    >
      ${rating === 'up' ? icons.thumbUp : icons.thumbDown}
    </button>`;
  }

  #renderReadAloud(label: string) {
    if (!this.speakable || !('speechSynthesis' in globalThis)) return nothing;
    const { active = false, stopLabel } = this.#readAloud ?? {};
    return html`<button
      class="icon-button"
      aria-label=${label}
      title=${active ? stopLabel : label}
      aria-pressed=${active}
      @click=${this.#toggleReadAloud}
    >
      ${active ? icons.stop : icons.speaker}
    </button>`;
  }

  #renderActions(entry: AgentEntry) {
    const { strings } = this;
    return html`<div class="actions" part="base" role="toolbar" aria-label=${strings.messageActions}>
      <div class="quiet ${entry.feedback || this.#readAloud?.active ? 'rated' : ''}">
        ${
          entry.text
            ? [this.#copy.render(strings.copyMessage), this.#renderReadAloud(strings.readAloud)]
            : nothing
        }
        ${
          this.repeatable
            ? html`<button
                class="icon-button"
                aria-label=${strings.again}
                title=${strings.again}
                @click=${() => emit(this, 'inlay-again', { key: entry.key })}
              >
                ${icons.retry}
              </button>`
            : nothing
        }
        ${
          this.rateable
            ? [this.#renderRating(entry, 'up'), this.#renderRating(entry, 'down')]
            : nothing
        }
        ${renderMessageActions(this.messageActions, entry)}
        <slot name="actions"></slot>
        <time dir="auto" datetime=${new Date(entry.at).toISOString()}>
          ${timeOf(strings, entry.at, Date.now())}
        </time>
      </div>
    </div>`;
  }

  #renderFeedback(entry: AgentEntry) {
    if (this.feedbackSent) {
      return html`<p class="thanks">${icons.check} ${this.strings.feedbackThanks}</p>`;
    }
    const draft = this.uiStates.get(entry.key)?.feedback;
    if (!draft || !this.rateable) return nothing;
    return html`<inlay-feedback
      exportparts="base: feedback__base"
      .entryKey=${entry.key}
      .draft=${draft}
      .uiStates=${this.uiStates}
      .strings=${this.strings}
      @inlay-feedback-end=${(event: CustomEvent) => this.#handleFeedbackEnd(entry, event)}
    ></inlay-feedback>`;
  }

  protected override render() {
    const { entry } = this;
    if (!entry) return nothing;
    return html`${this.#renderActions(entry)} ${this.#readAloud?.render()} ${this.#renderFeedback(entry)}
      ${this.#quote?.render()}`;
  }
}

async function richTextOf(content: Element): Promise<string> {
  const module = await richText.load();
  if (!module) throw new Error('The module could not be loaded.');
  return module.richText(content);
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-answer-actions': InlayAnswerActions;
  }
}
