import type { UserEntry } from '@inlay/client';
import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { actionStyles } from '../answer-actions/action.styles.ts';
import { CopyController } from '../answer-actions/copy-controller.ts';
import { type MessageAction, renderMessageActions } from '../answer-actions/message-actions.ts';
import { ToolbarController } from '../answer-actions/toolbar-controller.ts';
import { emit } from '../events.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './user-actions.styles.ts';
import { renderVersionSwitch, type Step } from './version-switch.ts';

interface PendingFocus {
  readonly root: Node;
  readonly at: number;
  readonly of: number;
  readonly step: Step;
}

/** Version whose switch has to receive focus: another version is rendered by another element. */
let pendingFocus: PendingFocus | null = null;

/** How long to wait for the other version, in milliseconds. */
const timeoutMs = 1000;

/** Returns the root node that contains the elements of all versions. */
function commonRoot(element: Element): Node {
  const message = element.getRootNode();
  return message instanceof ShadowRoot ? message.host.getRootNode() : message;
}

/** Whether focus is still inside, so that it must not be moved. */
function hasFocus(root: Node): boolean {
  return root instanceof ShadowRoot && root.activeElement !== null;
}

/**
 * @summary The actions of a user message: copy, edit, switch between versions, and custom actions of
 * the page.
 *
 * @slot actions - Additional buttons.
 *
 * @fires inlay-announce - Requests an announcement that the message was copied.
 * @fires inlay-edit-start - The user wants to edit the message. It does not bubble.
 * @fires inlay-show-version - The user wants to see another version of the message.
 *
 * @csspart base - The row of buttons.
 * @csspart action - A custom button.
 * @csspart versions - The switch between versions of the message.
 * @internal
 */
export class InlayUserActions extends LitElement {
  static override styles = [base, buttons, actionStyles, styles];

  constructor() {
    super();
    new ToolbarController(this);
  }

  readonly #copy = new CopyController(this, () => ({ text: this.entry?.text ?? '', html: null }));

  /** The entry of the user message. */
  @property({ attribute: false }) entry: UserEntry | null = null;

  /** Whether the message can be edited. */
  @property({ type: Boolean }) editable = false;

  /** Whether sending is disabled at the moment. */
  @property({ type: Boolean }) locked = false;

  /** Custom buttons. */
  @property({ attribute: false }) messageActions: readonly MessageAction[] = [];

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  /** Moves focus to the edit button. */
  override focus(options?: FocusOptions) {
    this.renderRoot.querySelector<HTMLElement>('.edit')?.focus(options);
  }

  protected override updated() {
    const pending = pendingFocus;
    if (!pending || pending.root !== commonRoot(this)) return;
    const { versions } = this.entry ?? {};
    if (versions?.at !== pending.at || versions.of !== pending.of || hasFocus(pending.root)) return;
    pendingFocus = null;
    this.renderRoot.querySelector<HTMLElement>(`.${pending.step}`)?.focus({ preventScroll: true });
  }

  #showVersion(step: Step) {
    const { entry } = this;
    if (!entry?.versions) return;
    const { of } = entry.versions;
    const at = entry.versions.at + (step === 'next' ? 1 : -1);
    const pending: PendingFocus = { root: commonRoot(this), at, of, step };
    pendingFocus = pending;
    // Releases the reference if the other version is never rendered.
    setTimeout(() => {
      if (pendingFocus === pending) pendingFocus = null;
    }, timeoutMs);
    emit(this, 'inlay-show-version', { key: entry.key, at });
  }

  protected override render() {
    const { entry, strings } = this;
    if (!entry) return nothing;
    return html`<div class="actions" part="base" role="toolbar" aria-label=${strings.messageActions}>
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
