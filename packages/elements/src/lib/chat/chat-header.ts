import { html, nothing, type TemplateResult } from 'lit';
import { emit } from '../events.ts';
import { icons } from '../icons/icons.ts';
import { isRegistered, requestElement } from '../lazy-elements.ts';
import type { ChatController, ChatState } from './chat-controller.ts';

/** Renders the title bar: the agent's name and the actions for the whole conversation. */
export function chatHeader(chat: ChatController, state: ChatState): TemplateResult {
  const { config, conversation, error, noAccess, setupError, strings } = state;
  const { heading, noConversationList } = chat.host;
  const isListOpen = chat.panels.conversationListOpen;
  const isNameLoading = !config && !heading && !error && !setupError && !noAccess;
  const description = config?.agent.description ?? '';
  return html`<header part="title-bar">
    ${config?.features.threads && !noConversationList ? conversationListButton(chat, state) : nothing}
    <slot name="avatar"></slot>
    <div class="title">
      ${isListOpen ? html`<h2 class="list-title"><bdi>${strings.conversations}</bdi></h2>` : nothing}
      <slot name="header">
        ${
          isNameLoading
            ? html`<div class="skeleton"></div>`
            : html`<h2><bdi>${state.agentName}</bdi></h2>`
        }
        ${description ? html`<p class="description"><bdi>${description}</bdi></p>` : nothing}
      </slot>
    </div>
    ${
      // The list has this button too.
      isListOpen || chat.onlySessionId
        ? nothing
        : iconButton(strings.newConversation, icons.compose, {
            disabled: !conversation?.entries.length,
            onPress: ({ target }) => target && emit(target, 'inlay-start-over', {}),
          })
    }
    ${menu(chat, state)}
    <slot name="actions"></slot>
  </header>`;
}

function conversationListButton({ panels }: ChatController, { strings }: ChatState) {
  const expanded = panels.conversationListOpen;
  return iconButton(
    expanded ? strings.closeConversationList : strings.openConversationList,
    icons.conversations,
    {
      className: 'conversations-button',
      expanded,
      onPress: () => panels.showConversationList(!expanded),
    },
  );
}

/** Renders the menu of the data rights that the agent's settings grant. */
function menu({ panels }: ChatController, { config, conversation, strings }: ChatState) {
  const { features } = config ?? {};
  const exists = Boolean(conversation?.session);
  const exportable = exists && (features?.export ?? false);
  const deletable = exists && (features?.delete ?? false);
  const forgettable = features?.forget_me ?? false;
  if (!exportable && !deletable && !forgettable) return nothing;
  const expanded = panels.menuOpen;
  if (expanded) requestElement('inlay-menu');
  return html`<div class="menu-place">
    ${iconButton(strings.moreActions, icons.more, {
      className: 'menu-button',
      expanded,
      popup: true,
      onPress: () => panels.showMenu(!expanded),
    })}
    ${
      expanded || isRegistered('inlay-menu')
        ? html`<inlay-menu
            ?closed=${!expanded}
            exportparts="base: menu__base"
            .exportable=${exportable}
            .deletable=${deletable}
            .forgettable=${forgettable}
            .retentionDays=${config?.retention?.sessions_days ?? null}
            .strings=${strings}
          ></inlay-menu>`
        : nothing
    }
  </div>`;
}

function iconButton(
  label: string,
  icon: TemplateResult,
  options: {
    readonly onPress: (event: Event) => void;
    readonly className?: string;
    readonly expanded?: boolean;
    readonly popup?: boolean;
    readonly disabled?: boolean;
  },
): TemplateResult {
  const { onPress, className = '', expanded, popup, disabled = false } = options;
  return html`<button
    class="icon-button ${className}"
    aria-label=${label}
    aria-expanded=${expanded ?? nothing}
    aria-haspopup=${popup ? 'menu' : nothing}
    title=${label}
    ?disabled=${disabled}
    @click=${onPress}
  >
    ${icon}
  </button>`;
}
