import type { ToolEntry } from '@inlay/client';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { format } from '../i18n/format.ts';
import { english, type Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './tool-call.styles.ts';

type Progress = ToolEntry['progress'];

const words: Record<Progress, keyof Strings & `tool${string}`> = {
  running: 'toolRunning',
  waiting: 'toolWaiting',
  approval: 'toolApproval',
  done: 'toolDone',
  failed: 'toolFailed',
  denied: 'toolDenied',
  stopped: 'toolStopped',
};

const spinner = html`<span class="spinner"></span>`;

const marks: Record<Progress, unknown> = {
  running: spinner,
  waiting: spinner,
  approval: icons.lock,
  done: icons.check,
  failed: icons.alert,
  denied: icons.close,
  stopped: icons.stop,
};

/** A tool's name as words: `look_up_order` and `lookUpOrder` become `Look up order`. */
export function readableName(name: string): string {
  const spaced = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, (_, before: string, after: string) => {
      return `${before} ${after.toLowerCase()}`;
    })
    .replace(/[_\-.]+/g, ' ')
    .trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * @summary A step that the agent takes with a tool: what, with which input, and what came of it.
 * Where the step needs the person's approval, it asks for it.
 *
 * @fires inlay-decide - The person allows or denies the step.
 *
 * @csspart card - The box.
 * @csspart summary - Its first line.
 * @csspart question - The form that asks.
 */
export class InlayToolCall extends LitElement {
  static override styles = [base, buttons, styles];

  /** Whether the person is giving the reason for a denial. */
  @state() private denying = false;

  /** Whether the person has decided, and the platform has not said so yet. */
  @state() private decided = false;

  @property({ attribute: false }) entry: ToolEntry | null = null;

  /** Whether the person can decide now. */
  @property({ type: Boolean }) locked = false;

  @property({ attribute: false }) strings: Strings = english;

  protected override willUpdate(changed: PropertyValues<this>) {
    const before = changed.get('entry');
    if (changed.has('entry') && before?.progress !== this.entry?.progress) {
      this.denying = false;
      this.decided = false;
    }
  }

  protected override updated(changed: PropertyValues) {
    if (changed.has('denying') && this.denying) this.renderRoot.querySelector('input')?.focus();
  }

  #decide(result: 'allow' | 'deny', reason = '') {
    if (!this.entry) return;
    this.decided = true;
    emit(this, 'inlay-decide', { key: this.entry.key, result, reason });
  }

  #setDenying(denying: boolean) {
    this.denying = denying;
  }

  #handleDeny(event: SubmitEvent) {
    event.preventDefault();
    const reason = new FormData(event.target as HTMLFormElement).get('reason');
    this.#decide('deny', typeof reason === 'string' ? reason.trim() : '');
  }

  #renderQuestion(entry: ToolEntry) {
    const { strings } = this;
    const disabled = this.locked || this.decided;
    if (this.denying) {
      return html`<form part="question" @submit=${this.#handleDeny}>
        <input
          name="reason"
          autocomplete="off"
          maxlength="500"
          aria-label=${strings.denyReason}
          placeholder=${strings.denyReason}
        />
        <div class="choices">
          <button class="button" type="button" @click=${() => this.#setDenying(false)}>
            ${strings.cancel}
          </button>
          <button class="button primary" ?disabled=${disabled}>${strings.deny}</button>
        </div>
      </form>`;
    }
    const question = format(strings.toolQuestion, { tool: readableName(entry.name) });
    return html`<div class="ask" part="question" role="group" aria-label=${question}>
      <span class="question"><bdi>${question}</bdi></span>
      <div class="choices">
        <button class="button" ?disabled=${disabled} @click=${() => this.#setDenying(true)}>
          ${strings.deny}
        </button>
        <button class="button primary" ?disabled=${disabled} @click=${() => this.#decide('allow')}>
          ${strings.allow}
        </button>
      </div>
    </div>`;
  }

  #renderText(label: string, text: string) {
    return html`<span class="label">${label}</span>
      <pre tabindex="0" role="group" aria-label=${label} dir="auto">${text}</pre>`;
  }

  protected override render() {
    const { entry, strings } = this;
    if (!entry) return nothing;
    const asks = entry.progress === 'approval';
    return html`<div class="card ${entry.progress}" part="card">
      <details ?open=${asks}>
        <summary part="summary">
          ${icons.tool}
          <span class="name" title=${entry.name}>${readableName(entry.name)}</span>
          <span class="state">${strings[words[entry.progress]]}</span>
          <span class="mark" aria-hidden="true">${marks[entry.progress]}</span>
          <span class="chevron" aria-hidden="true">${icons.chevron}</span>
        </summary>
        <div class="body">
          ${this.#renderText(strings.toolInput, JSON.stringify(entry.input, null, 2))}
          ${entry.result === null ? nothing : this.#renderText(strings.toolResult, entry.result)}
        </div>
      </details>
      ${asks ? this.#renderQuestion(entry) : nothing}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-tool-call': InlayToolCall;
  }
}
