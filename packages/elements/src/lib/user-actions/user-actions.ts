import type { UserEntry } from '@inlay/client';
import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { actionStyles } from '../answer-actions/action.styles.ts';
import { type MessageAction, renderMessageActions } from '../answer-actions/message-actions.ts';
import { CopyController } from '../controllers/copy-controller.ts';
import { emit } from '../events.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './user-actions.styles.ts';
import { renderVersionSwitch, type Step } from './version-switch.ts';

interface Switched {
  readonly root: Node;
  readonly at: number;
  readonly of: number;
  readonly step: Step;
}

/** Where the focus goes when another version, which is another entry, takes the place of one. */
let switched: Switched | null = null;

/** How long the other version may take to come, in milliseconds. */
const patience = 1000;

/** What two versions of a message, which are elements of their own, stand in together. */
function listAround(element: Element): Node {
  const message = element.getRootNode();
  return message instanceof ShadowRoot ? message.host.getRootNode() : message;
}

/** Whether the user is somewhere in there already, and not where what they pressed has gone. */
function hasFocus(root: Node): boolean {
  return root instanceof ShadowRoot && root.activeElement !== null;
}

/**
 * @summary What can be done with a message of the user: copy it, say something else instead, see
 * what was said before, and what the page adds.
 *
 * @slot actions - More to do with the message, beside the buttons.
 *
 * @fires inlay-announce - The message was copied.
 * @fires inlay-edit-start - The user wants to say something else instead. It does not bubble.
 * @fires inlay-show-version - The user wants to see another version of the message.
 *
 * @csspart base - The row of buttons.
 * @csspart action - A button of the page's own in it.
 * @csspart versions - The switch between versions of the message.
 * @internal
 */
export class InlayUserActions extends LitElement {
  static override styles = [base, buttons, actionStyles, styles];

  readonly #copy = new CopyController(this, () => ({ text: this.entry?.text ?? '', html: null }));

  /** The message. */
  @property({ attribute: false }) entry: UserEntry | null = null;

  /** Whether the user may say something else instead. */
  @property({ type: Boolean }) editable = false;

  /** Whether nothing can be said at the moment. */
  @property({ type: Boolean }) locked = false;

  /** Custom buttons. */
  @property({ attribute: false }) messageActions: readonly MessageAction[] = [];

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  /** Goes to the button that begins to edit. */
  override focus(options?: FocusOptions) {
    this.renderRoot.querySelector<HTMLElement>('.edit')?.focus(options);
  }

  protected override updated() {
    const wanted = switched;
    if (!wanted || wanted.root !== listAround(this)) return;
    const { versions } = this.entry ?? {};
    if (versions?.at !== wanted.at || versions.of !== wanted.of || hasFocus(wanted.root)) return;
    switched = null;
    this.renderRoot.querySelector<HTMLElement>(`.${wanted.step}`)?.focus({ preventScroll: true });
  }

  #showVersion(step: Step) {
    const { entry } = this;
    if (!entry?.versions) return;
    const { of } = entry.versions;
    const at = entry.versions.at + (step === 'next' ? 1 : -1);
    const wanted: Switched = { root: listAround(this), at, of, step };
    switched = wanted;
    // Nothing of a conversation is held on to whose other version never comes.
    setTimeout(() => {
      if (switched === wanted) switched = null;
    }, patience);
    emit(this, 'inlay-show-version', { key: entry.key, at });
  }

  protected override render() {
    const { entry, strings } = this;
    if (!entry) return nothing;
    return html`<div class="actions" part="base" role="group" aria-label=${strings.messageActions}>
      <div class="quiet">
        <slot name="actions"></slot>
        ${renderMessageActions(this.messageActions, entry)}
        ${entry.text ? this.#copy.render(strings.copyMessage) : nothing}
        ${
          this.editable && entry.text
            ? html`<button
                class="icon-button edit"
                aria-label=${strings.edit}
                title=${strings.edit}
                ?disabled=${this.locked}
                @click=${() => this.dispatchEvent(new CustomEvent('inlay-edit-start'))}
              >
                ${icons.pencil}
              </button>`
            : nothing
        }
      </div>
      ${
        entry.versions && entry.versions.of > 1
          ? renderVersionSwitch(entry.versions, strings, (step) => this.#showVersion(step))
          : nothing
      }
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-user-actions': InlayUserActions;
  }
}
