import type { Allowance, Mode, StarterPrompt } from '@inlay/protocol';
import { html, nothing, type TemplateResult } from 'lit';
import type { AttachmentPolicy } from '../attachments/attachment-policy.ts';
import type { Upload } from '../attachments/uploads.ts';
import type { Command, FindMentions } from '../composer/commands.ts';
import type { Strings } from '../i18n/strings.ts';
import { wantElement } from '../lazy-elements.ts';
import { mostUsedQuota } from '../quota/most-used-quota.ts';
import { type ChatStatus, writingIn } from '../status/auth-views.ts';
import { composerParts } from '../theme/parts.ts';

export interface ChatFooterView {
  readonly strings: Strings;
  readonly status: ChatStatus;
  /** Whether the user has no access at all: then only the reason is shown. */
  readonly noAccess: boolean;
  readonly canReconnect: boolean;
  readonly reconnecting: boolean;
  /** When the exhausted quota resets, in milliseconds since the epoch; null if unknown. */
  readonly resetsAt: number | null;
  /** Time of the next connection attempt, in milliseconds since the epoch; null if it is near. */
  readonly retryAt: number | null;
  /** Why the conversation was ended; null if no reason was given. */
  readonly endReason: string | null;
  /** Consent text that the user has to accept first; null for none. */
  readonly consent: string | null;
  readonly allowances: readonly Allowance[];
  readonly suggestions: readonly StarterPrompt[];
  readonly running: boolean;
  /** Whether there is an agent message or a pending confirmation to stop. */
  readonly stoppable: boolean;
  readonly composer: {
    readonly value: string;
    readonly placeholder: string;
    readonly disclaimer: string;
    readonly conversationId: string;
    readonly sentMessages: () => readonly string[];
    readonly attachments: AttachmentPolicy | null;
    readonly upload: Upload;
    readonly commands: readonly Command[];
    readonly findMentions: FindMentions | null;
    readonly modes: readonly Mode[];
    readonly mode: string;
    readonly dictation: boolean;
  };
}

/** Renders the area below the conversation: status, quota, suggestions and composer. */
export function chatFooter(view: ChatFooterView): TemplateResult {
  const { strings, status, composer } = view;
  return html`<div class="foot ${view.noAccess ? 'no-access' : ''}" part="input-area">
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
    ${suggestions(view)} ${quota(view)} ${view.consent === null ? renderComposer(view) : consent(view)}
    <slot name="footer"></slot>
  </div>`;
}

function renderComposer({ strings, status, stoppable, composer }: ChatFooterView): TemplateResult {
  const writing = writingIn(status);
  return html`<inlay-composer
    exportparts=${composerParts}
    .value=${composer.value}
    .placeholder=${composer.placeholder}
    .disclaimer=${composer.disclaimer}
    .conversationId=${composer.conversationId}
    .sentMessages=${composer.sentMessages}
    .attachments=${composer.attachments}
    .upload=${composer.upload}
    .commands=${composer.commands}
    .findMentions=${composer.findMentions}
    .modes=${composer.modes}
    .mode=${composer.mode}
    .dictation=${composer.dictation}
    .running=${stoppable}
    .sendingDisabled=${writing === 'paused'}
    .readOnly=${writing === 'closed'}
    .strings=${strings}
  ></inlay-composer>`;
}

function consent({ strings, consent: text }: ChatFooterView): TemplateResult {
  void wantElement('inlay-consent');
  return html`<inlay-consent
    exportparts="base: consent__base"
    .text=${text ?? ''}
    .strings=${strings}
  ></inlay-consent>`;
}

function suggestions({ strings, suggestions: prompts, status, running, consent }: ChatFooterView) {
  const canSuggest = !running && consent === null && writingIn(status) === 'open';
  if (prompts.length === 0 || !canSuggest) return nothing;
  void wantElement('inlay-suggestions');
  return html`<inlay-suggestions
    exportparts="suggestion: suggestions__suggestion"
    .prompts=${prompts}
    .strings=${strings}
  ></inlay-suggestions>`;
}

function quota({ strings, allowances, status }: ChatFooterView) {
  const used = status === 'over_budget' ? null : mostUsedQuota(allowances);
  if (!used) return nothing;
  void wantElement('inlay-quota');
  return html`<inlay-quota
    exportparts="base: quota__base"
    .quota=${used}
    .strings=${strings}
  ></inlay-quota>`;
}
