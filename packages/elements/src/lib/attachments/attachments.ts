import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { escapeHidden } from '../escape-hidden.ts';
import { emit } from '../events.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { sizeOf } from '../i18n/amounts.ts';
import { format, plural } from '../i18n/format.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { icons } from '../icons/icons.ts';
import { openLightbox } from '../lightbox/open-lightbox.ts';
import { base } from '../theme/base.styles.ts';
import type { AttachmentPolicy, Refusal } from './attachment-policy.ts';
import { styles } from './attachments.styles.ts';
import { pagesOf } from './pdf-pages.ts';
import { drawThumbnail } from './thumbnail.ts';
import type { Attachment } from './uploads.ts';

const refusalStrings = {
  too_large: 'fileTooLarge',
  wrong_type: 'fileTypeRefused',
  empty: 'fileEmpty',
} as const satisfies Record<Exclude<Refusal, 'too_many'>, keyof Strings>;

const hasFailed = ({ state }: Attachment) => state === 'failed' || state === 'refused';
const nameOf = ({ file }: Attachment) => escapeHidden(file.name);

/**
 * @summary The files of an unsent message, with the progress of each upload, or why a file can't be
 * attached.
 *
 * @fires inlay-announce - Requests an announcement of an added, uploaded, refused or failed file.
 * @fires inlay-attachment-remove - The user removes a file.
 * @fires inlay-attachment-retry - The user retries a failed upload.
 *
 * @csspart attachment - A file.
 * @internal
 */
export class InlayAttachments extends LitElement {
  static override styles = [base, styles];

  /** Files whose thumbnail or pages were requested. */
  readonly #examined = new WeakSet<File>();
  /** Images that the browser can't decode. */
  readonly #undrawable = new WeakSet<File>();
  /** URLs of the pictures that were enlarged. */
  readonly #urls = new Map<File, string>();
  /** Numbers of pages of PDF files. */
  readonly #pages = new WeakMap<File, number>();

  /** The attached files in order. */
  @property({ attribute: false }) items: readonly Attachment[] = [];

  /** The limits, for the messages of refused files. */
  @property({ attribute: false }) policy: AttachmentPolicy | null = null;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  override disconnectedCallback() {
    super.disconnectedCallback();
    for (const url of this.#urls.values()) URL.revokeObjectURL(url);
    this.#urls.clear();
  }

  protected override updated(changed: PropertyValues<this>) {
    if (!changed.has('items')) return;
    const before = changed.get('items') ?? [];
    const isNew = ({ key }: Attachment) => before.every((item) => item.key !== key);
    const hasChanged = ({ key, state }: Attachment) =>
      before.find((item) => item.key === key)?.state !== state;
    const failures = this.items.filter((item) => hasFailed(item) && hasChanged(item));
    this.#announce(failures, this.items.filter(isNew), this.items.filter(hasChanged));
    this.#scrollTo(failures[0] ?? this.items.findLast(isNew));
    for (const item of this.items) this.#examine(item);
  }

  /** Announces files that were pasted, dropped or chosen, and the end of their uploads. */
  #announce(
    failed: readonly Attachment[],
    added: readonly Attachment[],
    changed: readonly Attachment[],
  ) {
    const { strings } = this;
    const say = (text: string) => emit(this, 'inlay-announce', { text });
    const names = added.filter(({ state }) => state === 'uploading').map(nameOf);
    if (names.length > 0) {
      say(format(strings.uploading, { name: new Intl.ListFormat(strings.locale).format(names) }));
    }
    for (const item of changed) {
      if (item.state === 'done' && !added.includes(item)) {
        say(format(strings.fileAttached, { name: nameOf(item) }));
      }
    }
    for (const item of failed) say(`${nameOf(item)}: ${this.#stateOf(item)}`);
  }

  /** Draws the thumbnail of an image, and counts the pages of a PDF. */
  #examine({ key, file }: Attachment) {
    const canvas = this.renderRoot.querySelector<HTMLCanvasElement>(`canvas[data-key="${key}"]`);
    const isPdf = file.type === 'application/pdf';
    if ((!canvas && !isPdf) || this.#examined.has(file)) return;
    this.#examined.add(file);
    if (canvas) void this.#draw(canvas, file);
    else void this.#countPages(file);
  }

  async #draw(canvas: HTMLCanvasElement, file: File) {
    if (await drawThumbnail(canvas, file)) return;
    this.#undrawable.add(file);
    this.requestUpdate();
  }

  async #countPages(file: File) {
    // A file that was deleted after it was chosen can't be read.
    const count = await pagesOf(file).catch(() => null);
    if (count === null) return;
    this.#pages.set(file, count);
    this.requestUpdate();
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
    if (refusal === 'wrong_type' && policy?.mediaTypes.length) {
      const types = policy.mediaTypes.map((type) => this.#typeName(type));
      const list = new Intl.ListFormat(strings.locale, { style: 'short', type: 'unit' });
      return `${strings.fileTypeRefused}. ${format(strings.allowedTypes, { types: list.format(types) })}`;
    }
    if (refusal === 'too_many') {
      return plural(strings, strings.tooManyFiles, policy?.maxFiles ?? 0);
    }
    if (refusal) {
      return format(strings[refusalStrings[refusal]], {
        size: sizeOf(strings, policy?.maxBytes ?? 0),
      });
    }
    if (state === 'failed') return strings.uploadFailed;
    if (state === 'done') {
      const pages = this.#pages.get(file);
      const size = sizeOf(strings, file.size);
      return pages ? `${plural(strings, strings.pages, pages)} · ${size}` : size;
    }
    const percent = new Intl.NumberFormat(strings.locale, { style: 'percent' });
    return percent.format(Math.floor(progress * 100) / 100);
  }

  #isPicture(item: Attachment): boolean {
    const { file } = item;
    return file.type.startsWith('image/') && !hasFailed(item) && !this.#undrawable.has(file);
  }

  #urlOf(file: File): string {
    const url = this.#urls.get(file) ?? URL.createObjectURL(file);
    this.#urls.set(file, url);
    return url;
  }

  /** Enlarges a picture. The other pictures can be reached from it. */
  #open(item: Attachment) {
    const items = this.items.filter((each) => this.#isPicture(each));
    const pictures = items.map((each) => ({ src: this.#urlOf(each.file), name: nameOf(each) }));
    void openLightbox(this.renderRoot, pictures, items.indexOf(item), this.strings);
  }

  /** Short name of a media type or range: `Image`, `PDF`, `audio`. */
  #typeName(type: string): string {
    const [kind = '', subtype = ''] = type.split('/');
    if (type === 'image/*') return this.strings.image;
    return subtype === '*' ? kind : subtype.replace(/^(x-|vnd\.)|\+.*$/g, '').toUpperCase();
  }

  #renderRetry(item: Attachment) {
    const { strings } = this;
    return html`<button
      type="button"
      class="retry"
      aria-label=${`${strings.retry}: ${nameOf(item)}`}
      @click=${() => emit(this, 'inlay-attachment-retry', { key: item.key })}
    >
      ${strings.retry}
    </button>`;
  }

  #renderItem(item: Attachment): TemplateResult {
    const { key, state, progress } = item;
    const { strings } = this;
    const name = { name: nameOf(item) };
    const isPicture = this.#isPicture(item);
    // At its start and while the platform checks the file, the progress is unknown, and the bar moves.
    const isKnown = progress > 0 && progress < 1;
    return html`<li
      class="${state} ${isPicture ? 'tile' : ''}"
      part="attachment"
    >
      ${
        isPicture
          ? html`<button
              type="button"
              class="picture"
              aria-label=${format(strings.openFile, name)}
              title=${name.name}
              @click=${() => this.#open(item)}
            >
              <canvas data-key=${key}></canvas>
            </button>`
          : html`<span class="picture" aria-hidden="true">
              ${hasFailed(item) ? icons.alert : extraIcons.file}
            </span>`
      }
      <span class="words">
        <bdi class="name">${name.name}</bdi>
        <bdi class="state">${this.#stateOf(item)}</bdi>
      </span>
      ${state === 'failed' ? this.#renderRetry(item) : nothing}
      <button
        type="button"
        class="remove"
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
              value=${isKnown ? progress : nothing}
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
