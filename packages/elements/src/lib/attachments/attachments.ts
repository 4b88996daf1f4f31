import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { escapeHidden } from '../escape-hidden.ts';
import { emit } from '../events.ts';
import { sizeOf } from '../i18n/amounts.ts';
import { format, plural } from '../i18n/format.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import type { AttachmentPolicy, Refusal } from './attachment-policy.ts';
import { styles } from './attachments.styles.ts';
import { drawThumbnail } from './thumbnail.ts';
import type { Attachment } from './uploads.ts';

const refusalStrings = {
  too_large: 'fileTooLarge',
  wrong_type: 'fileTypeRefused',
  empty: 'fileEmpty',
} as const satisfies Record<Exclude<Refusal, 'too_many'>, keyof Strings>;

/**
 * @summary The files of an unsent message, with the progress of each upload, or why a file can't be
 * attached.
 *
 * @fires inlay-announce - Requests an announcement that a file was refused or its upload failed.
 * @fires inlay-attachment-remove - The user removes a file.
 * @fires inlay-attachment-retry - The user retries a failed upload.
 *
 * @csspart attachment - A file.
 * @internal
 */
export class InlayAttachments extends LitElement {
  static override styles = [base, styles];

  /** The attached files in order. */
  @property({ attribute: false }) items: readonly Attachment[] = [];

  /** The limits, for the messages of refused files. */
  @property({ attribute: false }) policy: AttachmentPolicy | null = null;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  protected override updated(changed: PropertyValues<this>) {
    if (!changed.has('items')) return;
    const before = changed.get('items') ?? [];
    const failures = this.#failuresSince(before);
    for (const item of failures) {
      emit(this, 'inlay-announce', {
        text: `${escapeHidden(item.file.name)}: ${this.#stateOf(item)}`,
      });
    }
    const isNew = ({ key }: Attachment) => before.every((item) => item.key !== key);
    this.#scrollTo(failures[0] ?? this.items.findLast(isNew));
    for (const { key, file } of this.items) {
      const canvas = this.renderRoot.querySelector<HTMLCanvasElement>(`canvas[data-key="${key}"]`);
      if (canvas && canvas.dataset.drawn === undefined) void drawThumbnail(canvas, file);
    }
  }

  /** The files that were refused or have failed since the last update. */
  #failuresSince(before: readonly Attachment[]): readonly Attachment[] {
    return this.items.filter(
      ({ key, state }) =>
        (state === 'refused' || state === 'failed') &&
        before.find((item) => item.key === key)?.state !== state,
    );
  }

  /** Scrolls a file to the start of the row, which is narrower than the files on a phone. */
  #scrollTo(item: Attachment | undefined) {
    const row = this.renderRoot.querySelector('ul');
    const element = item && row?.children[this.items.indexOf(item)];
    if (!element) return;
    const side = this.matches(':dir(rtl)') ? 'right' : 'left';
    row.scrollLeft += element.getBoundingClientRect()[side] - row.getBoundingClientRect()[side];
  }

  #stateOf({ state, refusal, file, progress }: Attachment): string {
    const { strings, policy } = this;
    if (refusal === 'too_many') {
      return plural(strings, strings.tooManyFiles, policy?.maxFiles ?? 0);
    }
    if (refusal) {
      return format(strings[refusalStrings[refusal]], {
        size: sizeOf(strings, policy?.maxBytes ?? 0),
      });
    }
    if (state === 'failed') return strings.uploadFailed;
    if (state === 'done') return sizeOf(strings, file.size);
    const percent = new Intl.NumberFormat(strings.locale, { style: 'percent' });
    return percent.format(Math.floor(progress * 100) / 100);
  }

  #renderItem(item: Attachment): TemplateResult {
    const { key, file, state, progress } = item;
    const { strings } = this;
    const hasFailed = state === 'failed' || state === 'refused';
    const visibleName = escapeHidden(file.name);
    const name = { name: visibleName };
    return html`<li class=${state} part="attachment">
      <span class="picture" aria-hidden="true">
        ${hasFailed ? icons.alert : extraIcons.file}
        ${file.type.startsWith('image/') && !hasFailed ? html`<canvas data-key=${key}></canvas>` : nothing}
      </span>
      <span class="words">
        <bdi class="name">${visibleName}</bdi>
        <bdi class="state">${this.#stateOf(item)}</bdi>
      </span>
      ${
        state === 'failed'
          ? html`<button
              type="button"
              aria-label=${format(strings.retryFile, name)}
              title=${strings.retry}
              @click=${() => emit(this, 'inlay-attachment-retry', { key })}
            >
              ${icons.retry}
            </button>`
          : nothing
      }
      <button
        type="button"
        aria-label=${format(strings.removeFile, name)}
        title=${format(strings.removeFile, name)}
        @click=${() => emit(this, 'inlay-attachment-remove', { key })}
      >
        ${icons.close}
      </button>
      ${
        state === 'uploading'
          ? html`<progress
              max="1"
              value=${progress}
              aria-label=${format(strings.uploading, name)}
            ></progress>`
          : nothing
      }
    </li>`;
  }

  protected override render() {
    return html`<ul aria-label=${this.strings.attachments}>
      ${repeat(
        this.items,
        ({ key }) => key,
        (item) => this.#renderItem(item),
      )}
    </ul>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-attachments': InlayAttachments;
  }
}
