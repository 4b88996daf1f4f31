import { html, nothing, type TemplateResult } from 'lit';
import { plural } from '../i18n/format.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { chatParts, launcherSlots } from '../theme/parts.ts';
import type { Mover } from './mover.ts';
import { renderTeaser, type TeaserView } from './teaser.ts';
import { badgeText } from './visit.ts';

/** Everything that the launcher's template renders. */
export interface LauncherView {
  readonly strings: Strings;
  /** The `dir` attribute of the launcher, passed to the chat; empty for none. */
  readonly dir: string;
  readonly open: boolean;
  /** Whether the chat was created. */
  readonly chatCreated: boolean;
  readonly heading: string;
  readonly unread: number;
  readonly noBubble: boolean;
  readonly noDrag: boolean;
  readonly teaser: TeaserView['teaser'];
  readonly mover: Mover;
  /** Whether the page has filled a slot. */
  readonly isFilled: (slotName: string) => boolean;
  readonly onFill: () => void;
  readonly onKeydown: (event: KeyboardEvent) => void;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onDismiss: () => void;
  /** Handles `cancel` and `close` of the dialog. */
  readonly onDialog: (event: Event) => void;
  readonly onSent: () => void;
  readonly onAnswer: () => void;
  readonly onLoaded: (event: HTMLElementEventMap['inlay-conversation-load']) => void;
}

export function launcherView(view: LauncherView): TemplateResult {
  return html`<div class="layer" lang=${view.strings.locale} @keydown=${view.onKeydown}>
    ${view.chatCreated ? renderPanel(view) : nothing}
    ${view.noBubble ? nothing : html`<div class="corner">${renderBubble(view)}</div>`}
  </div>`;
}

/** Text for the number of unread messages; empty for none. */
export function unreadText({ strings, unread }: Pick<LauncherView, 'strings' | 'unread'>): string {
  return unread > 0 ? plural(strings, strings.unread, unread) : '';
}

function renderPanel(view: LauncherView) {
  const { strings } = view;
  return html`<dialog
    class="panel"
    id="panel"
    part="panel"
    tabindex="-1"
    aria-label=${view.heading || strings.chatLabel}
    @cancel=${view.onDialog}
    @close=${view.onDialog}
  >
    <inlay-chat
      dir=${view.dir || nothing}
      exportparts=${chatParts}
      @inlay-message=${view.onSent}
      @inlay-answer=${view.onAnswer}
      @inlay-conversation-load=${view.onLoaded}
    >
      ${launcherSlots.map((name) => renderSlot(view, name))}
      <button
        slot="actions"
        class="icon-button"
        aria-label=${strings.closeChat}
        title=${strings.closeChat}
        @click=${view.onClose}
      >
        ${icons.close}
      </button>
    </inlay-chat>
  </dialog>`;
}

/** Forwards a slot only if the page fills it: an empty slot would replace the chat's default content. */
function renderSlot({ isFilled, onFill }: LauncherView, name: string) {
  return html`<slot
    name=${name}
    slot=${isFilled(name) ? name : 'none'}
    @slotchange=${onFill}
  ></slot>`;
}

/** Prevents native dragging of an image in the slot `icon`. */
const preventDragging = (event: Event) => event.preventDefault();

function renderBubble(view: LauncherView) {
  const { strings, open, unread, mover } = view;
  const count = unreadText(view);
  // The panel has a button “Close chat”; `aria-expanded` says what this one does.
  const label = open ? strings.chatLabel : strings.openChat;
  return html`
    ${renderTeaser({ strings, teaser: view.teaser, onOpen: view.onOpen, onDismiss: view.onDismiss })}
    <button
      class="bubble ${view.noDrag ? '' : 'movable'}"
      part="bubble"
      aria-label=${count ? `${label}, ${count}` : label}
      aria-expanded=${open}
      aria-haspopup="dialog"
      aria-controls=${view.chatCreated ? 'panel' : nothing}
      @pointerdown=${mover}
      @pointermove=${mover}
      @pointerup=${mover}
      @pointercancel=${mover}
      @keydown=${mover}
      @contextmenu=${mover}
      @dragstart=${preventDragging}
      @click=${mover}
    >
      ${open ? icons.chevron : html`<slot name="icon">${icons.chat}</slot>`}
      ${
        count
          ? html`<span class="badge" part="badge" aria-hidden="true"
              >${badgeText(unread)}</span
            >`
          : nothing
      }
    </button>
    <div class="visually-hidden" role="status">${count}</div>
  `;
}
