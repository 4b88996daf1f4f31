import type { UserContent } from '@inlay/protocol';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { escapeHidden } from '../escape-hidden.ts';
import { english, type Strings } from '../i18n/all-strings.ts';
import { sizeOf } from '../i18n/amounts.ts';
import { format } from '../i18n/format.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import type { Picture } from '../lightbox/lightbox.ts';
import { openLightbox } from '../lightbox/open-lightbox.ts';
import { base } from '../theme/base.styles.ts';
import { styles } from './file.styles.ts';
import { saveAs } from './save-as.ts';

/** A block of a message that refers to an uploaded file. */
export type FileBlock = Exclude<UserContent[number], { type: 'text' }>;

/** Loads the content of an uploaded file. */
export type LoadFile = (fileId: string, signal?: AbortSignal) => Promise<Blob>;

/**
 * @summary A button for a file that the user attached. It shows a thumbnail of an image, which it enlarges,
 * or the name of a document, which it saves to the user's device.
 *
 * An image has a `blob:` URL. If the page's Content-Security-Policy has no `img-src blob:`, or the
 * file can't be loaded, its name is shown instead.
 *
 * @csspart file - The button.
 * @csspart image - The thumbnail.
 * @internal
 */
export class InlayFile extends LitElement {
  static override styles = [base, styles];

  #loading: AbortController | null = null;

  /** URL of the loaded image; null for none. */
  @state() private imageUrl: string | null = null;

  @state() private blob: Blob | null = null;

  @state() private failed = false;

  /** The file's block of the message. */
  @property({ attribute: false }) block: FileBlock | null = null;

  /** Loads the content of the file. Without it, only the name is shown. */
  @property({ attribute: false }) loadFile: LoadFile | null = null;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  override connectedCallback() {
    super.connectedCallback();
    if (this.hasUpdated) this.#showImage();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#reset();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    const before = changed.has('block') ? changed.get('block') : this.block;
    const isSame = before?.source.file_id === this.block?.source.file_id;
    if (isSame && !changed.has('loadFile')) return;
    this.#reset();
    this.#showImage();
  }

  #reset() {
    this.#loading?.abort();
    this.#loading = null;
    this.#revokeUrl();
    this.blob = null;
    this.failed = false;
  }

  #revokeUrl() {
    if (this.imageUrl) URL.revokeObjectURL(this.imageUrl);
    this.imageUrl = null;
  }

  #showImage() {
    if (this.block?.type === 'image' && this.loadFile && !this.blob) void this.#load();
  }

  async #load(): Promise<Blob | null> {
    const { block, loadFile } = this;
    if (!block || !loadFile) return null;
    if (this.blob) return this.blob;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.failed = false;
    try {
      const blob = await loadFile(block.source.file_id, loading.signal);
      if (loading.signal.aborted) return null;
      this.blob = blob;
      if (block.type === 'image') this.imageUrl = URL.createObjectURL(blob);
      return blob;
    } catch {
      // The download failed. The element offers to retry it.
      if (!loading.signal.aborted) this.failed = true;
      return null;
    }
  }

  /** The picture that this file shows; null for none. */
  get picture(): Picture | null {
    return this.imageUrl ? { src: this.imageUrl, name: this.#name } : null;
  }

  /** Enlarges the picture. The other pictures of the message can be reached from it. */
  #open() {
    const root = this.getRootNode();
    const files = [...(root as ShadowRoot).querySelectorAll('inlay-file')];
    const withPicture = files.filter(({ picture }) => picture);
    const pictures = withPicture.flatMap(({ picture }) => picture ?? []);
    void openLightbox(this.renderRoot, pictures, withPicture.indexOf(this), this.strings);
  }

  async #save() {
    const blob = await this.#load();
    if (blob) saveAs(blob, this.#name);
  }

  get #name(): string {
    const { block, strings } = this;
    if (block?.type === 'document') return escapeHidden(block.title ?? '') || strings.document;
    return strings.image;
  }

  /** Why the file can't be loaded, or the size of a document if it is known; otherwise empty. */
  get #note(): string {
    const { block, blob, failed, strings } = this;
    if (failed) return strings.fileFailed;
    const size = blob?.size ?? (block?.type === 'document' ? block.size_bytes : null);
    // The log is read without a check of each block.
    return typeof size === 'number' && size >= 0 ? sizeOf(strings, size) : '';
  }

  #renderChip(note: string) {
    const { block, failed } = this;
    return html`<span class="mark">${block?.type === 'image' ? extraIcons.image : extraIcons.file}</span>
      <span class="text">
        <span class="name"><bdi>${this.#name}</bdi></span>
        ${note ? html`<span class="note ${failed ? 'failed' : ''}">${note}</span>` : nothing}
      </span>`;
  }

  protected override render() {
    const { block, imageUrl, strings } = this;
    if (!block) return nothing;
    const note = imageUrl ? '' : this.#note;
    const label = format(imageUrl ? strings.openFile : strings.downloadFile, { name: this.#name });
    return html`<button
      class=${imageUrl ? 'picture' : 'chip'}
      part="file"
      title=${label}
      aria-label=${note ? `${label}. ${note}` : label}
      ?disabled=${!this.loadFile}
      @click=${imageUrl ? this.#open : this.#save}
    >
      ${
        imageUrl
          ? html`<img
              part="image"
              src=${imageUrl}
              alt=""
              @error=${this.#revokeUrl}
            />`
          : this.#renderChip(note)
      }
    </button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-file': InlayFile;
  }
}
