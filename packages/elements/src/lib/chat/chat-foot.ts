import type { Allowance, Mode, StarterPrompt } from '@inlay/protocol';
import { html, nothing, type TemplateResult } from 'lit';
import { scarcest } from '../allowance/scarcest.ts';
import type { AttachmentPolicy } from '../attachments/attachment-policy.ts';
import type { Upload } from '../attachments/uploads.ts';
import type { Command, FindMentions } from '../composer/commands.ts';
import type { Strings } from '../i18n/strings.ts';
import { wantElement } from '../lazy-elements.ts';
import { type ChatStatus, writingIn } from '../status/auth-views.ts';
import { composerParts } from '../theme/parts.ts';

export interface ChatFootView {
  readonly strings: Strings;
  readonly status: ChatStatus;
  /** Whether the person may not even come in: then the reason is all there is. */
  readonly barred: boolean;
  readonly canReconnect: boolean;
  readonly reconnecting: boolean;
  /** When what is used up begins anew, in milliseconds since the epoch; null where that is unknown. */
  readonly resetsAt: number | null;
  /** When the connection is tried again, in milliseconds since the epoch, where that takes long. */
  readonly retryAt: number | null;
  /** Why the conversation was ended; null without words. */
  readonly endReason: string | null;
  /** What the person has to accept first; null for nothing. */
  readonly consent: string | null;
  readonly allowances: readonly Allowance[];
  readonly suggestions: readonly StarterPrompt[];
  readonly running: boolean;
  /** Whether there is something to stop. */
  readonly stoppable: boolean;
  readonly composer: {
    readonly value: string;
    readonly placeholder: string;
    readonly disclaimer: string;
    readonly thread: string;
    readonly said: () => readonly string[];
    readonly attachments: AttachmentPolicy | null;
    readonly upload: Upload;
    readonly commands: readonly Command[];
    readonly findMentions: FindMentions | null;
    readonly modes: readonly Mode[];
    readonly mode: string;
    readonly dictation: boolean;
  };
}

/** What stands below the conversation: why the person can't talk, what is left, and the composer. */
export function chatFoot(view: ChatFootView): TemplateResult {
  const { strings, status, composer } = view;
  return html`<div class="foot ${view.barred ? 'barred' : ''}" part="input-area">
    <inlay-status
      exportparts="base: status__base"
      .status=${status}
      .canReconnect=${view.canReconnect}
      .draft=${composer.value !== ''}
      .busy=${view.reconnecting}
      .resetsAt=${view.resetsAt}
      .retryAt=${view.retryAt}
      .reason=${view.endReason ?? ''}
      .strings=${strings}
    ></inlay-status>
    ${suggestions(view)} ${allowance(view)} ${view.consent === null ? write(view) : consent(view)}
    <slot name="footer"></slot>
  </div>`;
}

function write({ strings, status, stoppable, composer }: ChatFootView): TemplateResult {
  const writing = writingIn(status);
  return html`<inlay-composer
    exportparts=${composerParts}
    .value=${composer.value}
    .placeholder=${composer.placeholder}
    .disclaimer=${composer.disclaimer}
    .thread=${composer.thread}
    .said=${composer.said}
    .attachments=${composer.attachments}
    .upload=${composer.upload}
    .commands=${composer.commands}
    .findMentions=${composer.findMentions}
    .modes=${composer.modes}
    .mode=${composer.mode}
    .dictation=${composer.dictation}
    .running=${stoppable}
    .held=${writing === 'held'}
    .readOnly=${writing === 'closed'}
    .strings=${strings}
  ></inlay-composer>`;
}

function consent({ strings, consent: text }: ChatFootView): TemplateResult {
  wantElement('inlay-consent');
  return html`<inlay-consent
    exportparts="base: consent__base"
    .text=${text ?? ''}
    .strings=${strings}
  ></inlay-consent>`;
}

function suggestions({ strings, suggestions: prompts, status, running, consent }: ChatFootView) {
  const fits = !running && consent === null && writingIn(status) === 'open';
  if (prompts.length === 0 || !fits) return nothing;
  wantElement('inlay-suggestions');
  return html`<inlay-suggestions
    exportparts="suggestion: suggestions__suggestion"
    .prompts=${prompts}
    .strings=${strings}
  ></inlay-suggestions>`;
}

function allowance({ strings, allowances, status }: ChatFootView) {
  const scarce = status === 'over_budget' ? null : scarcest(allowances);
  if (!scarce) return nothing;
  wantElement('inlay-allowance');
  return html`<inlay-allowance
    exportparts="base: allowance__base"
    .allowance=${scarce}
    .strings=${strings}
  ></inlay-allowance>`;
}
