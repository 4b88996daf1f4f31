import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';

export interface ChatHeaderView {
  readonly strings: Strings;
  readonly name: string;
  readonly description: string;
  /** Whether the agent's name is still loading. */
  readonly isNameLoading: boolean;
  /** Whether the conversation has messages. Without any, the button for a new one is disabled. */
  readonly hasMessages: boolean;
  /** Whether the list of conversations is open; null if it is not offered. */
  readonly conversationListOpen: boolean | null;
  /** Whether the menu is open; null if it has no items. */
  readonly menuOpen: boolean | null;
  readonly menu: TemplateResult | typeof nothing;
  readonly onToggleConversationList: () => void;
  readonly onNew: () => void;
  readonly onMenu: () => void;
}

/** Renders the title bar: the agent's name and the actions for the whole conversation. */
export function chatHeader(view: ChatHeaderView): TemplateResult {
  const { strings, name, description, isNameLoading, conversationListOpen, menuOpen } = view;
  return html`<header part="title-bar">
    ${
      conversationListOpen === null
        ? nothing
        : iconButton(
            conversationListOpen ? strings.closeConversationList : strings.openConversationList,
            icons.conversations,
            {
              className: 'conversations-button',
              expanded: conversationListOpen,
              onPress: view.onToggleConversationList,
            },
          )
    }
    <slot name="avatar"></slot>
    <div class="title">
      <slot name="header">
        ${isNameLoading ? html`<div class="skeleton"></div>` : html`<h2><bdi>${name}</bdi></h2>`}
        ${description ? html`<p class="description"><bdi>${description}</bdi></p>` : nothing}
      </slot>
    </div>
    ${iconButton(strings.newConversation, icons.compose, {
      disabled: !view.hasMessages,
      onPress: view.onNew,
    })}
    ${
      menuOpen === null
        ? nothing
        : html`<div class="menu-place">
            ${iconButton(strings.moreActions, icons.more, {
              className: 'menu-button',
              expanded: menuOpen,
              popup: true,
              onPress: view.onMenu,
            })}
            ${view.menu}
          </div>`
    }
    <slot name="actions"></slot>
  </header>`;
}

function iconButton(
  label: string,
  icon: TemplateResult,
  options: {
    readonly onPress: () => void;
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
