import type { UserEntry } from '@inlay/client';
import { html, LitElement, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { plural } from '../i18n/format.ts';
import { english, type Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { styles } from './user-message.styles.ts';

/**
 * @summary What the person said, and whether it has arrived.
 *
 * @fires inlay-discard - The person gives up a message that failed.
 * @fires inlay-retry - The person wants a message that failed to be sent again.
 *
 * @csspart bubble - The box around the text.
 * @csspart delivery - The line that says where the message stands.
 */
export class InlayUserMessage extends LitElement {
  static override styles = [base, buttons, styles];

  @property({ attribute: false }) entry: UserEntry | null = null;

  @property({ attribute: false }) strings: Strings = english;

  #renderDelivery({ key, delivery }: UserEntry) {
    const { strings } = this;
    if (delivery === 'sent') return nothing;
    if (delivery !== 'failed') {
      const words = delivery === 'queued' ? strings.queued : strings.sending;
      return html`<div class="delivery ${delivery}" part="delivery">${words}</div>`;
    }
    return html`<div class="delivery" part="delivery">
      <span class="state failed">${icons.alert} ${strings.sendFailed}</span>
      <button class="button" @click=${() => emit(this, 'inlay-retry', { key })}>
        ${strings.retry}
      </button>
      <button class="button quiet" @click=${() => emit(this, 'inlay-discard', { key })}>
        ${strings.discard}
      </button>
    </div>`;
  }

  protected override render() {
    const { entry, strings } = this;
    if (!entry) return nothing;
    const files = entry.content.filter((block) => block.type !== 'text').length;
    return html`
      <div class="bubble-row ${entry.delivery}">
        <div class="bubble" part="bubble" dir="auto"
          ><span class="visually-hidden">${strings.you} </span>${entry.text}${
            files > 0
              ? html`<span class="files"><bdi>${plural(strings, strings.attachment, files)}</bdi></span>`
              : nothing
          }</div
        >
      </div>
      ${this.#renderDelivery(entry)}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-user-message': InlayUserMessage;
  }
}
