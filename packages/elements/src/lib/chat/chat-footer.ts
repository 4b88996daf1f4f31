import { html, nothing, type TemplateResult } from 'lit';
import { format } from '../i18n/format.ts';
import { requestElement } from '../lazy-elements.ts';
import { mostUsedQuota } from '../quota/most-used-quota.ts';
import { composerModeFor } from '../status/auth-views.ts';
import { composerParts } from '../theme/parts.ts';
import type { ChatController, ChatState } from './chat-controller.ts';
import { attachmentPolicy } from './settings.ts';

const none: readonly never[] = [];

/** Renders the area below the conversation: status, quota, suggestions and composer. */
export function chatFooter(chat: ChatController, state: ChatState): TemplateResult {
  const { auth, conversation } = state;
  return html`<div class="foot ${state.noAccess ? 'no-access' : ''}" part="input-area">
    <inlay-status
      exportparts="base: status__base"
      .status=${state.status}
      .canReconnect=${auth.canReconnect || conversation?.connection === 'reconnecting'}
      .draft=${chat.draft !== ''}
      .busy=${state.reconnecting}
      .resetsAt=${state.resetsAt}
      .canStartOver=${!chat.onlySessionId}
      .retryAt=${conversation?.retryAt ?? null}
      .reason=${(state.status === 'disabled' ? chat.host.disabledReason : conversation?.endReason) ?? ''}
      .strings=${state.strings}
    ></inlay-status>
    ${suggestions(state)} ${quota(state)} ${chat.claim?.(state.strings)}
    ${state.consent === null ? composer(chat, state) : consent(state)}
    <slot name="footer"></slot>
  </div>`;
}

function composer(chat: ChatController, state: ChatState): TemplateResult {
  const { host } = chat;
  const { agentName, config, status, strings } = state;
  const agentPlaceholder = config ? format(strings.placeholderAgent, { agent: agentName }) : '';
  const composerMode = composerModeFor(status);
  return html`<inlay-composer
    exportparts=${composerParts}
    .value=${chat.draft}
    .placeholder=${host.placeholder || agentPlaceholder}
    .description=${state.entries.length > 0 ? '' : state.disclosure.trim()}
    .disclaimer=${config?.disclaimer ?? ''}
    .conversationId=${state.sessionId ?? ''}
    .conversation=${chat.conversation.current}
    .sentMessages=${chat.sentMessages}
    .attachments=${attachmentPolicy(config)}
    .upload=${chat.upload}
    .commands=${host.commands ?? none}
    .findMentions=${host.findMentions}
    .modes=${host.modes ?? config?.modes ?? none}
    .mode=${host.mode}
    .dictation=${!host.noDictation}
    .running=${state.stoppable}
    .sendingDisabled=${composerMode === 'paused'}
    .readOnly=${composerMode === 'closed'}
    .strings=${strings}
    @keydown=${chat.handleComposerKey}
  ></inlay-composer>`;
}

function consent({ consent: text, strings }: ChatState): TemplateResult {
  requestElement('inlay-consent');
  return html`<inlay-consent
    exportparts="base: consent__base"
    .text=${text ?? ''}
    .strings=${strings}
  ></inlay-consent>`;
}

function suggestions({ conversation, locked, running, strings }: ChatState) {
  const prompts = conversation?.suggestions ?? none;
  if (prompts.length === 0 || running || locked) return nothing;
  requestElement('inlay-suggestions');
  return html`<inlay-suggestions
    exportparts="suggestion: suggestions__suggestion"
    .prompts=${prompts}
    .strings=${strings}
  ></inlay-suggestions>`;
}

function quota({ allowances, status, strings }: ChatState) {
  const quota = status === 'over_budget' ? null : mostUsedQuota(allowances);
  if (!quota) return nothing;
  requestElement('inlay-quota');
  return html`<inlay-quota
    exportparts="base: quota__base"
    .quota=${quota}
    .strings=${strings}
  ></inlay-quota>`;
}
