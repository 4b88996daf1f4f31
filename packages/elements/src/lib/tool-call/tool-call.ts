import type { ToolEntry } from '@inlay/client';
import { toJson } from '@inlay/protocol/to-json';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type EntryUiStates, updateUiState } from '../entry-ui-state.ts';
import { escapeHidden } from '../escape-hidden.ts';
import { emit } from '../events.ts';
import { focusWhenScrollable } from '../focusable-scrollers.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { duration } from '../i18n/amounts.ts';
import { format } from '../i18n/format.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { ReadToEnd } from './read-to-end.ts';
import { styles } from './tool-call.styles.ts';
import { isTruncated, labelOf, renderInput, truncate } from './tool-input.ts';

/** The progress to show. `skipped`: the user was asked for approval and has not answered. */
type Progress = ToolEntry['progress'] | 'skipped';

const shownProgress = ({ progress, decision }: ToolEntry): Progress =>
  progress === 'denied' && !decision ? 'skipped' : progress;

const statusStrings: Record<Progress, keyof Strings & `tool${string}`> = {
  running: 'toolRunning',
  waiting: 'toolWaiting',
  approval: 'toolApproval',
  done: 'toolDone',
  failed: 'toolFailed',
  denied: 'toolDenied',
  stopped: 'toolStopped',
  skipped: 'toolSkipped',
};

const spinnerIcon = html`<span class="spinner"></span>`;

const statusIcons: Record<Progress, unknown> = {
  running: spinnerIcon,
  waiting: spinnerIcon,
  approval: icons.lock,
  done: icons.check,
  failed: icons.alert,
  denied: icons.close,
  stopped: icons.stop,
  skipped: icons.stop,
};

/**
 * @summary A tool call: its name, input and result. If the call needs the user's approval, the element
 * asks for it and then shows the decision.
 *
 * @fires inlay-announce - Requests an announcement that the call waits for approval.
 * @fires inlay-entry-decision-request - The user allows or denies the call.
 *
 * @csspart base - The box.
 * @csspart summary - The first line of the box.
 * @csspart question - The approval form.
 * @csspart input - The input of the call.
 * @csspart decision - The decision of the user.
 * @internal
 */
export class InlayToolCall extends LitElement {
  static override styles = [base, buttons, styles];

  /** Whether the form for the reason of a denial is open. */
  @state() private denying = false;

  /** Whether the input has changed since it was first shown. */
  @state() private inputChanged = false;

  /** Whether long input is shown in full. */
  @state() private showsAll = false;

  /** Whether the user has seen the end of the input that waits for approval. */
  readonly #reading = new ReadToEnd(this, () => this.renderRoot.querySelector('.ask .input'));

  /** The entry of the tool call, with its result. */
  @property({ attribute: false }) entry: ToolEntry | null = null;

  /** Whether decisions are disabled at the moment. */
  @property({ type: Boolean }) locked = false;

  /** Stores expanded details while the element is not in the document. */
  @property({ attribute: false }) uiStates: EntryUiStates = new Map();

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override willUpdate(changes: PropertyValues<this>) {
    const { entry } = this;
    if (!entry) return;
    if (changes.has('uiStates')) this.#announceFailure(entry, changes.get('uiStates'));
    if (!changes.has('entry')) return;
    const before = changes.get('entry');
    const isSame = before?.key === entry.key;
    const isPending = isSame && before.progress === 'approval' && entry.progress === 'approval';
    const hasNewInput = isPending && before.inputHash !== entry.inputHash;
    this.inputChanged = hasNewInput || (isPending && this.inputChanged);
    if (!isPending || hasNewInput) this.denying = false;
    if (!isSame || hasNewInput) {
      this.showsAll = false;
      this.#reading.restart();
      // Otherwise the end of the new input could be in view, and its start not.
      this.renderRoot.querySelector('.ask .input')?.scrollTo(0, 0);
    }
    if (entry.progress !== 'approval' || hasNewInput) {
      updateUiState(this.uiStates, entry.key, { decision: undefined });
    }
    if (entry.progress === 'approval') this.#announceQuestion(entry, hasNewInput);
  }

  /** Also waits for the update that follows if the new input fits into its box. */
  protected override async getUpdateComplete() {
    return (await super.getUpdateComplete()) || super.getUpdateComplete();
  }

  protected override updated(changes: PropertyValues) {
    for (const box of this.renderRoot.querySelectorAll<HTMLElement>('.input, pre'))
      focusWhenScrollable(box);
    if (changes.has('denying') && this.denying) this.renderRoot.querySelector('input')?.focus();
  }

  /** Announces a pending call once, and again if its input has changed. */
  #announceQuestion(entry: ToolEntry, hasNewInput: boolean) {
    if (this.uiStates.get(entry.key)?.announced && !hasNewInput) return;
    updateUiState(this.uiStates, entry.key, { announced: true });
    const { strings } = this;
    const question = format(strings.toolQuestionAnnounced, { question: this.#question(entry) });
    const text = hasNewInput ? `${strings.toolChanged} ${question}` : question;
    // Dispatched after this update, because listeners may request another one.
    queueMicrotask(() => emit(this, 'inlay-announce', { text }));
  }

  /** Announces that sending a decision failed, which the chat records in `uiStates`. */
  #announceFailure({ key }: ToolEntry, before: EntryUiStates | undefined) {
    const failed = this.uiStates.get(key)?.decision === 'unsent';
    if (!failed || before?.get(key)?.decision !== 'sent') return;
    queueMicrotask(() => emit(this, 'inlay-announce', { text: this.strings.cardNotSent }));
  }

  get #decision() {
    return this.entry && this.uiStates.get(this.entry.key)?.decision;
  }

  #question({ name, explanation }: ToolEntry): string {
    if (explanation) return escapeHidden(explanation);
    // Escaped before `format`, which adds isolates of its own.
    return format(this.strings.toolQuestion, { tool: labelOf(name) });
  }

  #decide(result: 'allow' | 'deny', reason = '') {
    if (!this.entry) return;
    const { key } = this.entry;
    updateUiState(this.uiStates, key, { decision: 'sent' });
    // The page prevented the request, so the user can decide again.
    if (!emit(this, 'inlay-entry-decision-request', { key, result, reason })) {
      updateUiState(this.uiStates, key, { decision: undefined });
    }
    this.requestUpdate();
  }

  async #setDenying(denying: boolean) {
    this.denying = denying;
    if (denying) return;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('.deny')?.focus();
  }

  #handleDeny(event: SubmitEvent) {
    event.preventDefault();
    const reason = new FormData(event.target as HTMLFormElement).get('reason');
    this.#decide('deny', typeof reason === 'string' ? reason.trim() : '');
  }

  #handleDenyKey(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    void this.#setDenying(false);
  }

  #handleToggle(event: Event) {
    if (!this.entry || !(event.target instanceof HTMLDetailsElement)) return;
    updateUiState(this.uiStates, this.entry.key, { open: event.target.open });
  }

  /** Whether all of the input was shown to the user, who can allow it then. */
  #wasShown({ input }: ToolEntry): boolean {
    return this.#reading.isRead && (this.showsAll || !isTruncated(input));
  }

  #renderChoices(entry: ToolEntry) {
    const { strings } = this;
    const disabled = this.locked || this.#decision === 'sent';
    if (this.denying) {
      return html`<form @submit=${this.#handleDeny} @keydown=${this.#handleDenyKey}>
        <input
          name="reason"
          dir="auto"
          autocomplete="off"
          maxlength="500"
          aria-label=${strings.denyReason}
          placeholder=${strings.denyReason}
        />
        <div class="choices">
          <button class="button" type="button" @click=${() => this.#setDenying(false)}>
            ${strings.cancel}
          </button>
          <button class="button danger" ?disabled=${disabled}>${strings.deny}</button>
        </div>
      </form>`;
    }
    return html`<div class="choices">
      <button class="button deny" ?disabled=${disabled} @click=${() => this.#setDenying(true)}>
        ${strings.deny}
      </button>
      <button
        class="button primary"
        aria-describedby=${this.#wasShown(entry) ? nothing : 'unread'}
        ?disabled=${disabled || !this.#wasShown(entry)}
        @click=${() => this.#decide('allow')}
      >
        ${strings.allow}
      </button>
    </div>`;
  }

  #renderQuestion(entry: ToolEntry) {
    const { strings } = this;
    return html`<div class="ask" part="question" role="group" aria-labelledby="question">
      <p class="eyebrow">
        ${icons.lock} <span class="state">${strings.toolApproval}</span>
        ${renderToolName(entry)}
      </p>
      <p class="question" id="question" dir="auto">${this.#question(entry)}</p>
      ${this.inputChanged ? html`<p class="changed">${icons.alert} ${strings.toolChanged}</p>` : nothing}
      <div
        class="input"
        ?data-unread=${!this.#wasShown(entry)}
        role="group"
        aria-label=${strings.toolInput}
        aria-describedby=${this.#wasShown(entry) ? nothing : 'unread'}
      >
        ${renderInput(entry, strings, this.showsAll)}
      </div>
      ${this.#renderUnread(entry)} ${this.#renderChoices(entry)}
      ${
        this.#decision === 'unsent'
          ? html`<p class="changed">${icons.alert} <bdi>${strings.cardNotSent}</bdi></p>`
          : nothing
      }
    </div>`;
  }

  /** Renders why the call can't be allowed yet, and the button that shows truncated input in full. */
  #renderUnread(entry: ToolEntry) {
    if (this.#wasShown(entry)) return nothing;
    return html`<p class="unread-note">
      <span id="unread"><bdi>${this.strings.toolUnread}</bdi></span>
      ${
        this.showsAll || !isTruncated(entry.input)
          ? nothing
          : html`<button class="button quiet rest" @click=${this.#showAll}>
              ${this.strings.toolShowAll}
            </button>`
      }
    </p>`;
  }

  async #showAll() {
    this.showsAll = true;
    this.#reading.restart();
    await this.updateComplete;
    const input = this.renderRoot.querySelector<HTMLElement>('.input');
    if (!input) return;
    // The focused button was removed. WebKit focuses a scroll container only with a tab index, which
    // `focusWhenScrollable` sets after the next layout.
    input.tabIndex = 0;
    input.focus({ preventScroll: true });
  }

  #renderResult({ result, progress }: ToolEntry) {
    if (result === null || result === '') return nothing;
    const { strings } = this;
    const label = progress === 'failed' ? strings.toolError : strings.toolResult;
    return html`<span class="label">${label}</span>
      <pre role="group" aria-label=${label} dir="auto">${truncate(prettyJson(result))}</pre>`;
  }

  #renderDecision({ decision, progress }: ToolEntry) {
    const { strings } = this;
    if (!decision && progress !== 'denied') return nothing;
    const denied = decision?.reason
      ? format(strings.toolDeniedBecause, { reason: decision.reason })
      : strings.toolDeniedByYou;
    const text = decision?.result === 'allow' ? strings.toolAllowedByYou : denied;
    return html`<p class="decision" part="decision">
      <bdi>${decision ? text : strings.toolUnanswered}</bdi>
    </p>`;
  }

  /** Renders the duration of a call, unless it includes the time that the user took to decide. */
  #renderDuration({ at, endedAt, decision, progress }: ToolEntry) {
    if (endedAt === null || decision || progress === 'denied') return nothing;
    return html`<span class="took">${duration(this.strings, endedAt - at)}</span>`;
  }

  #renderStep(entry: ToolEntry) {
    const { strings } = this;
    const progress = shownProgress(entry);
    return html`<details
        ?open=${this.uiStates.get(entry.key)?.open ?? false}
        @toggle=${this.#handleToggle}
      >
        <summary part="summary">
          ${extraIcons.tool}
          ${renderToolName(entry)}
          <span class="state">${strings[statusStrings[progress]]}</span>
          ${this.#renderDuration(entry)}
          <span class="mark" aria-hidden="true">${statusIcons[progress]}</span>
          <span class="chevron" aria-hidden="true">${icons.chevron}</span>
        </summary>
        <div class="body">
          ${entry.explanation ? html`<p dir="auto">${escapeHidden(entry.explanation)}</p>` : nothing}
          <span class="label">${strings.toolInput}</span>
          <div class="input" role="group" aria-label=${strings.toolInput}>
            ${renderInput(entry, strings)}
          </div>
          ${this.#renderResult(entry)}
        </div>
      </details>
      ${this.#renderDecision(entry)}`;
  }

  protected override render() {
    const { entry } = this;
    if (!entry) return nothing;
    return html`<div class="card ${shownProgress(entry)}" part="base">
      ${entry.progress === 'approval' ? this.#renderQuestion(entry) : this.#renderStep(entry)}
    </div>`;
  }
}

function renderToolName({ name }: ToolEntry) {
  return html`<span class="name" title=${escapeHidden(name)}><bdi>${labelOf(name)}</bdi></span>`;
}

/** Indents JSON; returns other text unchanged. */
function prettyJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return toJson(JSON.parse(text), undefined, 2) ?? text;
  } catch {
    return text;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-tool-call': InlayToolCall;
  }
}
