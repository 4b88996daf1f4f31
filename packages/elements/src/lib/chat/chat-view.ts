import type { Entry } from '@inlay/client';
import type { Allowance } from '@inlay/protocol';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Announcement } from '../announcer/announcer.ts';
import { format } from '../i18n/format.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { isRegistered, wantElement } from '../lazy-elements.ts';
import { viewOf, writingIn } from '../status/auth-views.ts';
import { messageListParts, welcomeParts } from '../theme/parts.ts';
import { withoutHidden } from '../untrusted-text.ts';
import type { ChatController } from './chat-controller.ts';
import { chatFooter } from './chat-footer.ts';
import { chatHeader } from './chat-header.ts';
import type { ChatOptions } from './chat-options.ts';
import type { LazyElementsController } from './lazy-elements-controller.ts';
import type { PanelsController } from './panels-controller.ts';
import { attachmentPolicy } from './settings.ts';

/** Everything that the chat's template renders. */
export interface ChatView {
  readonly chat: ChatController;
  readonly options: ChatOptions;
  readonly strings: Strings;
  /** Text direction; null if the page sets `dir` itself. */
  readonly direction: 'ltr' | 'rtl' | null;
  /** Consent text that the user has to accept first; null for none. */
  readonly consent: string | null;
  readonly announcements: readonly Announcement[];
  readonly panels: PanelsController;
  readonly lazy: LazyElementsController;
  /** Whether files are being dragged over the chat. */
  readonly dropping: boolean;
  readonly onNew: () => void;
}

const none: readonly never[] = [];

/** The agent's display name. */
export function agentNameOf({ chat, options, strings }: ChatView): string {
  return options.heading || chat.client.config?.agent.name || strings.agent;
}

/** Renders the whole chat. */
export function chatView(view: ChatView): TemplateResult {
  const { chat, strings } = view;
  const { setupError } = chat.client;
  return html`<section
    class="root"
    part="base"
    lang=${strings.locale}
    dir=${view.direction ?? nothing}
    aria-label=${format(strings.chatWith, { agent: agentNameOf(view) })}
  >
    ${header(view)}
    <div class="body">
      ${conversationList(view)}
      <div class="talk">
        ${
          setupError
            ? failure(view, strings.setupTitle, setupError.message, null)
            : conversation(view)
        }
      </div>
    </div>
    ${
      view.dropping
        ? html`<div class="drop" aria-hidden="true">${icons.attach} ${strings.dropFiles}</div>`
        : nothing
    }
    <div class="visually-hidden" aria-live="polite">
      ${repeat(
        view.announcements,
        ({ id }) => id,
        ({ text }) => html`<p>${text}</p>`,
      )}
    </div>
  </section>`;
}

/** Whether the user has no access at all: then only the reason is shown. */
function hasNoAccess({ chat }: ChatView): boolean {
  const { client, conversation: shown, status } = chat;
  return !client.config && !shown.state?.entries.length && viewOf(status) !== null;
}

function header(view: ChatView) {
  const { chat, strings, options } = view;
  const { config, error, setupError } = chat.client;
  const hasConversationList = (config?.features.threads ?? false) && !options.noConversationList;
  return chatHeader({
    strings,
    name: agentNameOf(view),
    description: config?.agent.description ?? '',
    isNameLoading: !config && !options.heading && !error && !setupError && !hasNoAccess(view),
    hasMessages: (chat.conversation.state?.entries.length ?? 0) > 0,
    conversationListOpen: hasConversationList ? view.panels.conversationListOpen : null,
    menuOpen: rights(view).any ? view.panels.menuOpen : null,
    menu: menu(view),
    onToggleConversationList: () =>
      view.panels.showConversationList(!view.panels.conversationListOpen),
    onNew: view.onNew,
    onMenu: () => view.panels.showMenu(!view.panels.menuOpen),
  });
}

/** Data rights that the agent's settings grant: export, deletion and erasure of all data. */
function rights({ chat }: ChatView) {
  const { features } = chat.client.config ?? {};
  const exists = chat.sessionId !== null;
  const exportable = exists && (features?.export ?? false);
  const deletable = exists && (features?.delete ?? false);
  const forgettable = features?.forget_me ?? false;
  return { exportable, deletable, forgettable, any: exportable || deletable || forgettable };
}

function menu(view: ChatView) {
  if (!view.panels.menuOpen) return nothing;
  void wantElement('inlay-menu');
  const { exportable, deletable, forgettable } = rights(view);
  return html`<inlay-menu
    exportparts="base: menu__base"
    .exportable=${exportable}
    .deletable=${deletable}
    .forgettable=${forgettable}
    .strings=${view.strings}
  ></inlay-menu>`;
}

function conversationList({ chat, strings, panels }: ChatView) {
  const { client, config } = chat.client;
  if (!panels.conversationListOpen || !client) return nothing;
  void wantElement('inlay-conversation-list');
  return html`<inlay-conversation-list
    part="conversations"
    exportparts="conversation-item__base, search: conversation-list__search"
    .sessions=${client.sessions}
    .current=${chat.sessionId ?? ''}
    .deletable=${config?.features.delete ?? false}
    .strings=${strings}
  ></inlay-conversation-list>`;
}

function failure(
  { strings }: ChatView,
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
function beginning(view: ChatView) {
  const { chat, strings } = view;
  const { config, error, auth } = chat.client;
  if (config || (!error && auth.status === 'ok') || auth.status === 'refreshing') {
    return html`<inlay-welcome
      exportparts=${welcomeParts}
      .strings=${strings}
      .loading=${!config}
      .greeting=${config?.greeting ?? ''}
      .starters=${config?.starter_prompts ?? none}
      .disabled=${chat.locked}
    ></inlay-welcome>`;
  }
  if (!error || hasNoAccess(view)) return nothing;
  return failure(view, strings.loadFailedTitle, strings.loadFailedText, () => chat.client.load());
}

/** Renders an entry as plain text until the message list is loaded. */
function plainEntry(entry: Entry) {
  return 'text' in entry
    ? html`<p class="plain ${entry.kind}"><bdi>${withoutHidden(entry.text)}</bdi></p>`
    : nothing;
}

function conversation(view: ChatView): TemplateResult {
  const { chat, options, strings } = view;
  const { config } = chat.client;
  const { shown, uiStates } = chat.conversation;
  const entries: readonly Entry[] = shown?.entries ?? none;
  const plain = isRegistered('inlay-message-list') ? none : entries;
  return html`
    <inlay-message-list
      exportparts=${messageListParts}
      ?hidden=${hasNoAccess(view)}
      .entries=${entries}
      .running=${chat.running}
      .loading=${chat.resuming || (shown?.loading ?? false)}
      .hasEarlier=${shown?.hasEarlier ?? false}
      .follow=${options.follow}
      .rateable=${config?.features.feedback ?? false}
      .repeatable=${config?.features.edit ?? false}
      .editable=${config?.features.edit ?? false}
      .quotable=${writingIn(chat.status) !== 'closed'}
      .loadFile=${chat.loadFile}
      .resetsAt=${resetOf(view)}
      .messageActions=${options.messageActions}
      .uiStates=${uiStates}
      .imageOrigins=${config?.image_origins ?? none}
      .locked=${chat.locked}
      .agentName=${agentNameOf(view)}
      .strings=${strings}
    >
      <slot name="empty" slot="empty" ?hidden=${plain.length > 0}>${beginning(view)}</slot>
      ${plain.map(plainEntry)}
    </inlay-message-list>
    ${missingElements(view)} ${foot(view)}
  `;
}

/** Renders a "try again" message if an element could not be loaded. The conversation stays usable. */
function missingElements({ lazy, strings }: ChatView) {
  if (!lazy.failed) return nothing;
  return html`<div class="missing" role="alert">
    ${icons.alert}
    <bdi>${strings.partFailed}</bdi>
    <button class="button" @click=${() => lazy.retry()}>${icons.retry} ${strings.retry}</button>
  </div>`;
}

/** When the exhausted quota resets: as the error says, otherwise as the quotas themselves say. */
function resetOf({ chat }: ChatView): number | null {
  const reached = allowancesOf(chat).find(({ used }) => used >= 1)?.resets_at ?? null;
  return chat.resetsAt ?? (reached === null ? null : Date.parse(reached));
}

function allowancesOf({ client, conversation }: ChatController): readonly Allowance[] {
  const { allowances = none } = conversation.state ?? {};
  return allowances.length > 0 ? allowances : (client.config?.allowances ?? none);
}

/** Whether the last entry reports an exhausted quota: the meter would only repeat it. */
function saysLimit(chat: ChatController): boolean {
  const last = chat.conversation.shown?.entries.at(-1);
  return (
    last?.kind === 'notice' && !last.retryable && allowancesOf(chat).some(({ used }) => used >= 1)
  );
}

function foot(view: ChatView): TemplateResult {
  const { chat, options, strings } = view;
  const { config, auth } = chat.client;
  const state = chat.conversation.state;
  return chatFooter({
    strings,
    status: chat.status,
    noAccess: hasNoAccess(view),
    canReconnect: auth.canReconnect || state?.connection === 'reconnecting',
    reconnecting: chat.reconnecting,
    resetsAt: chat.resetsAt,
    retryAt: state?.retryAt ?? null,
    endReason: state?.endReason ?? null,
    consent: view.consent,
    allowances: saysLimit(chat) ? none : allowancesOf(chat),
    suggestions: state?.suggestions ?? none,
    running: chat.running,
    stoppable: chat.stoppable,
    composer: {
      value: chat.draft,
      placeholder:
        options.placeholder ||
        (config ? format(strings.placeholderAgent, { agent: agentNameOf(view) }) : ''),
      disclaimer: config?.disclaimer ?? '',
      conversationId: chat.sessionId ?? '',
      sentMessages: chat.sentMessages,
      attachments: attachmentPolicy(config),
      upload: chat.upload,
      commands: options.commands,
      findMentions: options.findMentions,
      modes: options.modes ?? config?.modes ?? none,
      mode: options.mode,
      dictation: !options.noDictation,
    },
  });
}
