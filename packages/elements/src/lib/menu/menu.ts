import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { plural } from '../i18n/format.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './menu.styles.ts';
import { menuItems } from './menu-items.styles.ts';
import { moveFocus } from './move-focus.ts';
import { onLeave } from './on-leave.ts';

/** Actions that can't be undone and need a confirmation. */
type Question = 'delete' | 'forget';

/**
 * @summary A menu to export the conversation, delete it, and erase all data of the user. Deletions
 * need a confirmation. Below the items, it says when conversations are deleted. The button that opens the menu has the same parent: presses and focus there do
 * not close the menu.
 *
 * @fires inlay-menu-export - The user exports the conversation.
 * @fires inlay-menu-delete - The user deletes the conversation.
 * @fires inlay-menu-forget - The user erases all their data.
 * @fires inlay-close-menu - The user closes the menu or leaves it.
 *
 * @csspart base - The box.
 * @internal
 */
export class InlayMenu extends LitElement {
  static override styles = [base, buttons, menuItems, styles];

  @state() private asking: Question | null = null;

  /** Whether the menu is closed. A closed menu stays in the document, so that it can fade out. */
  @property({ type: Boolean }) closed = false;

  /** Whether the conversation can be exported. */
  @property({ type: Boolean }) exportable = false;

  /** Whether the conversation can be deleted. */
  @property({ type: Boolean }) deletable = false;

  /** Whether the user can erase all their data. */
  @property({ type: Boolean }) forgettable = false;

  /** Days from the last message of a conversation to its deletion; null if it is kept. */
  @property({ attribute: false }) retentionDays: number | null = null;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  #disconnect: (() => void) | undefined;

  override connectedCallback() {
    super.connectedCallback();
    const area = this.parentElement ?? this;
    const removeLeave = onLeave(area, () => {
      if (!this.closed) emit(this, 'inlay-close-menu', {});
    });
    area.addEventListener('keydown', this.#handleKeydown);
    this.#disconnect = () => {
      removeLeave();
      area.removeEventListener('keydown', this.#handleKeydown);
    };
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#disconnect?.();
  }

  /** Moves focus to the first item. */
  override focus(options?: FocusOptions) {
    this.renderRoot.querySelector('button')?.focus(options);
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('closed')) this.asking = null;
  }

  protected override updated(changed: PropertyValues) {
    if (!this.closed && (changed.has('closed') || changed.has('asking'))) this.focus();
  }

  #ask(question: Question | null) {
    this.asking = question;
  }

  readonly #handleKeydown = (event: KeyboardEvent) => {
    if (this.closed) return;
    if (event.key === 'Escape') emit(this, 'inlay-close-menu', {});
    else if (!moveFocus(event, this.renderRoot as ShadowRoot)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  #renderItem(icon: TemplateResult, label: string, action: () => void, look = '') {
    return html`<button class="item ${look}" role="menuitem" tabindex="-1" @click=${action}>
      ${icon} <bdi>${label}</bdi>
    </button>`;
  }

  #renderItems() {
    const { retentionDays: days, strings } = this;
    return html`<div
        class="items"
        role="menu"
        aria-label=${strings.moreActions}
        aria-describedby=${days === null ? nothing : 'retention'}
      >
      ${
        this.exportable
          ? [
              this.#renderItem(extraIcons.download, strings.exportMarkdown, () =>
                emit(this, 'inlay-menu-export', { format: 'markdown' }),
              ),
              this.#renderItem(extraIcons.download, strings.exportJson, () =>
                emit(this, 'inlay-menu-export', { format: 'json' }),
              ),
            ]
          : nothing
      }
      ${
        this.deletable
          ? this.#renderItem(extraIcons.bin, strings.deleteConversation, () => this.#ask('delete'))
          : nothing
      }
      ${
        this.forgettable
          ? this.#renderItem(extraIcons.bin, strings.forgetMe, () => this.#ask('forget'), 'danger')
          : nothing
      }
      </div>
      ${
        days === null
          ? nothing
          : html`<p id="retention" class="retention">
              <bdi>${plural(strings, strings.deletedAfter, days)}</bdi>
            </p>`
      }`;
  }

  #renderQuestion(question: Question) {
    const { strings } = this;
    const [title, text, yes] =
      question === 'delete'
        ? [strings.deleteConversation, strings.cannotBeUndone, strings.delete]
        : [strings.forgetMe, strings.forgetMeText, strings.forgetMeYes];
    const action = () =>
      question === 'delete'
        ? emit(this, 'inlay-menu-delete', {})
        : emit(this, 'inlay-menu-forget', {});
    return html`<div class="question" role="alertdialog" aria-labelledby="title" aria-describedby="text">
      <h3 id="title"><bdi>${title}</bdi></h3>
      <p id="text"><bdi>${text}</bdi></p>
      <div class="choices">
        <button class="button" @click=${() => this.#ask(null)}>${strings.cancel}</button>
        <button class="button danger" @click=${action}>${yes}</button>
      </div>
    </div>`;
  }

  protected override render() {
    return html`<div class="menu" part="base" ?hidden=${this.closed} ?inert=${this.closed}>
      ${this.asking ? this.#renderQuestion(this.asking) : this.#renderItems()}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-menu': InlayMenu;
  }
}
