import { html, LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { type EntryUiStates, type FeedbackDraft, updateUiState } from '../entry-ui-state.ts';
import { emit, type FeedbackReason } from '../events.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './feedback.styles.ts';

type ReasonString = keyof Strings & `reason${string}`;

const reasonsFor: Record<
  FeedbackDraft['rating'],
  readonly (readonly [FeedbackReason, ReasonString])[]
> = {
  up: [
    ['correct', 'reasonCorrect'],
    ['helpful', 'reasonHelpful'],
    ['clear', 'reasonClear'],
    ['other', 'reasonOther'],
  ],
  down: [
    ['incorrect', 'reasonIncorrect'],
    ['incomplete', 'reasonIncomplete'],
    ['unclear', 'reasonUnclear'],
    ['off_topic', 'reasonOffTopic'],
    ['unsafe', 'reasonUnsafe'],
    ['other', 'reasonOther'],
  ],
};

/**
 * @summary A form for the reasons of a rating. All fields are optional.
 *
 * @fires inlay-entry-rating-request - The user sends reasons or a comment.
 * @fires inlay-feedback-end - The form was sent or skipped (`detail.sent`). It does not bubble.
 *
 * @csspart base - The box.
 * @csspart reason - One of the reasons.
 * @csspart comment - The text field.
 * @internal
 */
export class InlayFeedback extends LitElement {
  static override styles = [base, buttons, styles];

  /** Key of the agent message's entry. */
  @property({ attribute: false }) entryKey = '';

  /** Selected reasons and comment so far. */
  @property({ attribute: false }) draft: FeedbackDraft = { rating: 'up', reasons: [], comment: '' };

  /** Stores the draft while the element is not in the document. */
  @property({ attribute: false }) uiStates: EntryUiStates = new Map();

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override firstUpdated() {
    // The form may open below the visible part of the list.
    this.scrollIntoView({ block: 'nearest' });
  }

  #change(changes: Partial<FeedbackDraft>) {
    this.draft = { ...this.draft, ...changes };
    updateUiState(this.uiStates, this.entryKey, { feedback: this.draft });
  }

  #toggle(reason: FeedbackReason) {
    const { reasons } = this.draft;
    const otherReasons = reasons.filter((each) => each !== reason);
    this.#change({
      reasons: otherReasons.length < reasons.length ? otherReasons : [...reasons, reason],
    });
  }

  #end(sent: boolean) {
    this.dispatchEvent(new CustomEvent('inlay-feedback-end', { detail: { sent } }));
  }

  #handleSubmit(event: SubmitEvent) {
    event.preventDefault();
    const { rating, reasons, comment } = this.draft;
    const text = comment.trim();
    const hasReason = reasons.length > 0 || text !== '';
    const detail = { key: this.entryKey, rating, reasons, comment: text };
    // If the page prevents the rating, the draft stays.
    if (hasReason && !emit(this, 'inlay-entry-rating-request', detail)) return;
    this.#end(hasReason);
  }

  #handleKeydown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    this.#end(false);
  }

  protected override render() {
    const { strings, draft } = this;
    const title = draft.rating === 'up' ? strings.feedbackUp : strings.feedbackDown;
    return html`<form
      class="panel"
      part="base"
      aria-label=${title}
      @submit=${this.#handleSubmit}
      @keydown=${this.#handleKeydown}
    >
      <span class="title" aria-hidden="true"><bdi>${title}</bdi></span>
      <div class="reasons" role="group" aria-label=${title}>
        ${reasonsFor[draft.rating].map(
          ([reason, label]) =>
            html`<button
              type="button"
              class="reason"
              part="reason"
              aria-pressed=${draft.reasons.includes(reason)}
              @click=${() => this.#toggle(reason)}
            >
              ${strings[label]}
            </button>`,
        )}
      </div>
      <textarea
        part="comment"
        rows="2"
        dir="auto"
        maxlength="2000"
        aria-label=${strings.feedbackComment}
        placeholder=${strings.feedbackComment}
        .value=${draft.comment}
        @input=${(event: InputEvent) =>
          this.#change({ comment: (event.target as HTMLTextAreaElement).value })}
      ></textarea>
      <div class="choices">
        <button type="button" class="button quiet" @click=${() => this.#end(false)}>
          ${strings.feedbackSkip}
        </button>
        <button class="button primary">${strings.feedbackSend}</button>
      </div>
    </form>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-feedback': InlayFeedback;
  }
}
