import type { Session } from '@inlay/protocol';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { spokenText } from '../announcer/spoken-text.ts';
import { emit } from '../events.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { format } from '../i18n/format.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { icons } from '../icons/icons.ts';
import { menuItems } from '../menu/menu-items.styles.ts';
import { moveFocus } from '../menu/move-focus.ts';
import { onLeave } from '../menu/on-leave.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { withoutHidden } from '../untrusted-text.ts';
import { styles } from './conversation-item.styles.ts';
import { relativeDate } from './relative-date.ts';

/** Maximum length of a title in a question or the name of a button, in characters. */
const maxTitleLength = 60;

/**
 * @summary A conversation in the list: its title, the time and start of the last message or what it waits
 * for, and its actions.
 *
 * @fires inlay-open-conversation - The user opens the conversation.
 * @fires inlay-conversation-rename - The user renames the conversation.
 * @fires inlay-conversation-archive - The user archives or unarchives the conversation.
 * @fires inlay-conversation-delete - The user has confirmed the deletion of the conversation.
 *
 * @csspart base - The conversation.
 * @internal
 */
export class InlayConversationItem extends LitElement {
  static override styles = [base, buttons, menuItems, styles];

  /** Whether focus was inside before the update. */
  #focused = false;
  #removeLeave: (() => void) | undefined;
  /** Whether the menu was opened. It then stays in the document, so that it can fade out. */
  #hasMenu = false;

  /** The open part: the action menu, the form to rename, or the question before a deletion. */
  @state() private asking: 'menu' | 'name' | 'delete' | null = null;

  /** The conversation. */
  @property({ attribute: false }) session: Session | null = null;

  /** Whether the conversation is on screen. */
  @property({ type: Boolean, reflect: true }) current = false;

  /** Whether the agent has answered since the user left the conversation. */
  @property({ type: Boolean }) unread = false;

  /** Whether the conversation is archived. */
  @property({ type: Boolean }) archived = false;

  /** Whether the conversation may be deleted. */
  @property({ type: Boolean }) deletable = false;

  /** Whether an action is pending. */
  @property({ type: Boolean }) busy = false;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  override connectedCallback() {
    super.connectedCallback();
    this.#removeLeave = onLeave(this, () => {
      if (this.asking === 'menu') this.asking = null;
    });
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#removeLeave?.();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    this.#focused = this.shadowRoot?.activeElement != null;
    // The list shows whether the action succeeded.
    if (changed.get('busy') === true && !this.busy) this.asking = null;
  }

  protected override updated(changed: PropertyValues) {
    if (!changed.has('asking')) return;
    // Focus moves into the form and back to the button.
    const before = changed.get('asking');
    if (!this.asking && !before) return;
    // If the user has moved focus elsewhere, it is not moved back.
    if (!this.asking && !this.#focused) return;
    const field = this.renderRoot.querySelector<HTMLElement>(this.asking ? '.first' : '.more');
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
    this.renderRoot.querySelector('.menu')?.scrollIntoView({ block: 'nearest' });
  }

  get #title(): string {
    return (
      withoutHidden(this.session?.title || this.session?.preview || '') || this.strings.untitled
    );
  }

  /** The title for texts that contain it. */
  get #shortTitle(): string {
    const characters = [...this.#title];
    return characters.length > maxTitleLength
      ? `${characters.slice(0, maxTitleLength - 1).join('')}…`
      : this.#title;
  }

  #ask(asking: typeof this.asking) {
    this.asking = asking;
  }

  #handleKeydown(event: KeyboardEvent) {
    if (event.isComposing || !this.asking) return;
    if (event.key === 'Escape') this.asking = null;
    else if (this.asking !== 'menu' || !moveFocus(event, this.renderRoot as ShadowRoot)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #handleRename(event: SubmitEvent, sessionId: string) {
    event.preventDefault();
    const title = new FormData(event.target as HTMLFormElement).get('title');
    emit(this, 'inlay-conversation-rename', { sessionId, title: String(title ?? '').trim() });
  }

  #renderCancel(look = '') {
    return html`<button class="button quiet ${look}" type="button" @click=${() => this.#ask(null)}>
      ${this.strings.cancel}
    </button>`;
  }

  #renderNaming({ id, title, preview }: Session) {
    const { strings } = this;
    return html`<form class="form" @submit=${(event: SubmitEvent) => this.#handleRename(event, id)}>
      <input
        class="first"
        name="title"
        maxlength="200"
        autocomplete="off"
        aria-label=${strings.conversationName}
        value=${title || preview || ''}
        placeholder=${this.#title}
      />
      ${this.#renderCancel()}
      <button class="button primary" ?disabled=${this.busy}>${strings.save}</button>
    </form>`;
  }

  #renderDeleting({ id }: Session) {
    const { strings } = this;
    const question = format(strings.deleteConversationQuestion, { title: this.#shortTitle });
    return html`<div
      class="form"
      role="alertdialog"
      aria-labelledby="question"
      aria-describedby="consequence"
    >
      <p id="question"><bdi>${question}</bdi></p>
      <p id="consequence"><bdi>${strings.cannotBeUndone}</bdi></p>
      ${this.#renderCancel('first')}
      <button
        class="button danger"
        ?disabled=${this.busy}
        @click=${() => emit(this, 'inlay-conversation-delete', { sessionId: id })}
      >
        ${strings.delete}
      </button>
    </div>`;
  }

  #renderMenuItem(icon: TemplateResult, label: string, action: () => void, look = '') {
    return html`<button
      class="item ${look}"
      role="menuitem"
      tabindex="-1"
      ?disabled=${this.busy}
      @click=${action}
    >
      ${icon} <bdi>${label}</bdi>
    </button>`;
  }

  #renderMenu({ id }: Session, label: string) {
    const { strings } = this;
    return html`<div class="menu" role="menu" aria-label=${label} ?hidden=${this.asking !== 'menu'}>
      ${this.#renderMenuItem(icons.pencil, strings.renameConversation, () => this.#ask('name'), 'first')}
      ${this.#renderMenuItem(
        extraIcons.archive,
        this.archived ? strings.unarchiveConversation : strings.archiveConversation,
        () => emit(this, 'inlay-conversation-archive', { sessionId: id }),
      )}
      ${
        this.deletable
          ? this.#renderMenuItem(
              extraIcons.bin,
              strings.delete,
              () => this.#ask('delete'),
              'danger',
            )
          : nothing
      }
    </div>`;
  }

  /** Renders what the conversation waits for, otherwise its time; and the start of its last message. */
  #renderDetails({ requires_action, last_message, active_at, updated_at }: Session) {
    const { strings } = this;
    const waiting = requires_action ? strings.conversationWaiting : strings.newHere;
    const preview = withoutHidden(spokenText(last_message ?? '', strings));
    const time = active_at ?? updated_at;
    return html`<span class="details">
      ${
        requires_action || this.unread
          ? html`<b><bdi>${waiting}</bdi></b>`
          : html`<time datetime=${time}
              >${relativeDate(strings, Date.parse(time), Date.now())}</time
            >`
      }
      ${preview && preview !== this.#title ? html`<span class="preview" dir="auto">${preview}</span>` : nothing}
    </span>`;
  }

  #renderRow(session: Session) {
    const { strings, current } = this;
    const { id } = session;
    const isOpen = this.asking === 'menu';
    this.#hasMenu ||= isOpen;
    const label = format(strings.conversationActions, { title: this.#shortTitle });
    return html`<div class="row">
      <button
        class="conversation"
        part="base"
        aria-current=${current ? 'true' : nothing}
        @click=${() => emit(this, 'inlay-open-conversation', { sessionId: id })}
      >
        <span class="title" dir="auto">${this.#title}</span>
        ${this.#renderDetails(session)}
      </button>
      <button
        class="icon-button more"
        aria-label=${label}
        title=${label}
        aria-haspopup="menu"
        aria-expanded=${isOpen}
        @click=${() => this.#ask(isOpen ? null : 'menu')}
      >
        ${icons.more}
      </button>
      ${this.#hasMenu ? this.#renderMenu(session, label) : nothing}
    </div>`;
  }

  #renderQuestion(session: Session) {
    if (this.asking === 'name') return this.#renderNaming(session);
    if (this.asking === 'delete') return this.#renderDeleting(session);
    return this.#renderRow(session);
  }

  protected override render() {
    const { session } = this;
    if (!session) return nothing;
    return html`<div @keydown=${this.#handleKeydown}>${this.#renderQuestion(session)}</div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-conversation-item': InlayConversationItem;
  }
}
