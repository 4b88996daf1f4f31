import type { Entry } from '@inlay/client';
import { html, noChange, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { format } from '../i18n/format.ts';
import { icons } from '../icons/icons.ts';
import {
  isRegistered,
  requestElement,
  retryFailedElements,
  someElementFailed,
} from '../lazy-elements.ts';
import { composerModeFor } from '../status/auth-views.ts';
import { messageListParts, welcomeParts } from '../theme/parts.ts';
import { withoutHidden } from '../untrusted-text.ts';
import type { ChatController, ChatState } from './chat-controller.ts';
import { chatFooter } from './chat-footer.ts';
import { chatHeader } from './chat-header.ts';

const none: readonly never[] = [];

/** Without a listener, Safari on iOS does not apply `:active` (https://developer.mozilla.org/docs/Web/CSS/:active). */
const touchListener = { handleEvent() {}, passive: true };

/** Renders the whole chat. */
export function chatTemplate(chat: ChatController): TemplateResult {
  const { state } = chat;
  const { strings, setupError } = state;
  return html`<section
    class="root"
    part="base"
    lang=${strings.locale}
    dir=${chat.language.direction ?? nothing}
    aria-label=${format(strings.chatWith, { agent: state.agentName })}
    @keydown=${chat.handleKey}
    @touchstart=${touchListener}
  >
    ${chatHeader(chat, state)}
    <div class="body">
      ${conversationList(chat, state)}
      <div class="conversation ${state.entries.length > 0 || (state.loading && !state.resuming) ? '' : 'empty'}">
        ${
          setupError
            ? failure(state, strings.setupTitle, setupError.message, null)
            : conversation(chat, state)
        }
      </div>
    </div>
    ${chat.drop?.render(strings)}
    <div class="visually-hidden" aria-live="polite">
      ${repeat(
        chat.announcer.announcements,
        ({ id }) => id,
        ({ text }) => html`<p>${text}</p>`,
      )}
    </div>
  </section>`;
}

function conversationList({ client, panels }: ChatController, state: ChatState) {
  if (panels.conversationListLeaving) return noChange;
  if (!panels.conversationListOpen || !client.client) return nothing;
  requestElement('inlay-conversation-list');
  return html`<inlay-conversation-list
    part="conversations"
    exportparts="conversation-item__base, search: conversation-list__search"
    .sessions=${client.client.sessions}
    .current=${state.sessionId ?? ''}
    .unfinished=${panels.unfinished}
    .stopReason=${state.conversation?.stopReason ?? null}
    .deletable=${state.config?.features.delete ?? false}
    .strings=${state.strings}
  ></inlay-conversation-list>`;
}

function failure(
  { strings }: ChatState,
  title: string,
  text: string,
  retry: (() => void) | null,
): TemplateResult {
  return html`<div class="failure" role="alert">
    ${icons.alert}
    <h3><bdi>${title}</bdi></h3>
    <p><bdi>${text}</bdi></p>
    ${
      retry
        ? html`<button class="button" @click=${retry}>${icons.retry} ${strings.retry}</button>`
        : nothing
    }
  </div>`;
}

/** Renders the content of an empty conversation. */
function emptyConversation(chat: ChatController, state: ChatState) {
  const { auth, config, conversation, error, strings } = state;
  if (config || (!error && auth.status === 'ok') || auth.status === 'refreshing') {
    const card = conversation?.welcome;
    if (card) requestElement('inlay-card');
    // Greeting, card and suggestions appear together, so that nothing moves.
    const isCardLoading = card && !isRegistered('inlay-card') && !someElementFailed();
    return html`<inlay-welcome
      exportparts=${welcomeParts}
      .strings=${strings}
      .loading=${!config || state.loading || state.resuming || isCardLoading}
      .greeting=${config?.greeting ?? ''}
      .starters=${config?.starter_prompts ?? none}
      .disabled=${state.locked}
      >${
        card
          ? html`<inlay-card
              slot="card"
              exportparts="base: card__base"
              .entry=${card}
              .strings=${strings}
              .locked=${state.locked}
              .uiStates=${chat.conversation.uiStates}
              .renderers=${chat.host.renderers}
              .imageOrigins=${config?.image_origins ?? none}
            ></inlay-card>`
          : nothing
      }</inlay-welcome
    >`;
  }
  if (!error || state.noAccess) return nothing;
  return failure(state, strings.loadFailedTitle, strings.loadFailedText, () => chat.client.load());
}

/** Renders an entry as plain text until the message list is loaded. */
function plainEntry(entry: Entry) {
  return 'text' in entry
    ? html`<p class="plain ${entry.kind}"><bdi>${withoutHidden(entry.text)}</bdi></p>`
    : nothing;
}

function conversation(chat: ChatController, state: ChatState): TemplateResult {
  const { config, entries } = state;
  const plain = isRegistered('inlay-message-list') ? none : entries;
  return html`
    <inlay-message-list
      exportparts=${messageListParts}
      ?hidden=${state.noAccess}
      .entries=${entries}
      .running=${state.running}
      .disclosure=${state.disclosure}
      .loading=${state.loading}
      .hasEarlier=${state.hasEarlier}
      .follow=${chat.host.follow ?? 'bottom'}
      .draftStorage=${chat.host.draftStorage}
      .rateable=${config?.features.feedback ?? false}
      .repeatable=${config?.features.edit ?? false}
      .editable=${config?.features.edit ?? false}
      .quotable=${composerModeFor(state.status) !== 'closed'}
      .speakable=${!chat.host.noReadAloud}
      .loadFile=${chat.loadFile}
      .resetsAt=${state.resetsAt}
      .messageActions=${chat.host.messageActions ?? none}
      .renderers=${chat.host.renderers}
      .uiStates=${chat.conversation.uiStates}
      .imageOrigins=${config?.image_origins ?? none}
      .locked=${state.locked}
      .agentName=${state.agentName}
      .strings=${state.strings}
    >
      <slot name="empty" slot="empty" ?hidden=${plain.length > 0}>${emptyConversation(chat, state)}</slot>
      ${plain.map(plainEntry)}
    </inlay-message-list>
    ${missingElements(state)} ${chatFooter(chat, state)}
  `;
}

/** Renders a "try again" message if an element could not be loaded. The conversation stays usable. */
function missingElements({ strings }: ChatState) {
  if (!someElementFailed()) return nothing;
  return html`<div class="load-failure" role="alert">
    ${icons.alert}
    <bdi>${strings.partFailed}</bdi>
    <button class="button" @click=${retryFailedElements}>${icons.retry} ${strings.retry}</button>
  </div>`;
}
