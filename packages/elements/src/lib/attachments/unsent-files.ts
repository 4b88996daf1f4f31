import type { UserContent } from '@inlay/protocol';
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../i18n/strings.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { loadElement } from '../lazy-elements.ts';
import type { AttachmentPolicy } from './attachment-policy.ts';
import { type Attachment, type Upload, Uploads } from './uploads.ts';

export interface UnsentFilesOptions {
  /** Current policy; null if attachments are disabled. */
  readonly policy: () => AttachmentPolicy | null;
  readonly upload: () => Upload | null;
  /** Key of the current conversation. Each conversation has its own unsent files. */
  readonly conversationId: () => string;
  readonly onChange: () => void;
}

const disabledPolicy: AttachmentPolicy = { maxBytes: 0, maxFiles: 0, mediaTypes: [] };

/** The unsent files of each conversation, and the button that adds files. */
export class UnsentFiles {
  readonly #options: UnsentFilesOptions;
  readonly #byConversation = new Map<string, Uploads>();

  constructor(options: UnsentFilesOptions) {
    this.#options = options;
  }

  get items(): readonly Attachment[] {
    return this.#current?.items ?? [];
  }

  /**
   * Whether the upload of a file is in progress or has failed. The message must not be sent until the
   * file is uploaded or removed.
   */
  get unfinished(): boolean {
    return this.#current?.unfinished ?? false;
  }

  /** Blocks of the uploaded files, for the content of the message. */
  get content(): UserContent {
    return this.#current?.content ?? [];
  }

  get enabled(): boolean {
    return this.#options.policy() !== null && this.#options.upload() !== null;
  }

  add(files: Iterable<File>): void {
    const upload = this.#options.upload();
    if (!this.enabled || !upload) return;
    const uploads =
      this.#current ??
      new Uploads({
        policy: () => this.#options.policy() ?? disabledPolicy,
        upload: (file, options) => (this.#options.upload() ?? upload)(file, options),
        onChange: this.#options.onChange,
      });
    this.#byConversation.set(this.#options.conversationId(), uploads);
    void loadElement('inlay-attachments');
    uploads.add(files);
  }

  remove(key: number): void {
    this.#current?.remove(key);
  }

  retry(key: number): void {
    this.#current?.retry(key);
  }

  /** Removes the files of the current conversation, after its message was sent. */
  clear(): void {
    this.#current?.clear();
    this.#byConversation.delete(this.#options.conversationId());
  }

  /** Moves the files of a conversation to another key, for example its new session id. */
  move(from: string, to: string): void {
    const uploads = this.#byConversation.get(from);
    if (!uploads || this.#byConversation.has(to)) return;
    this.#byConversation.delete(from);
    this.#byConversation.set(to, uploads);
  }

  /** Removes the files of all conversations, when another user signs in. */
  forget(): void {
    for (const uploads of this.#byConversation.values()) uploads.clear();
    this.#byConversation.clear();
  }

  /** Renders the button that opens the browser's file picker. */
  renderButton(strings: Strings, onPicked: (event: Event) => void): TemplateResult {
    const { mediaTypes } = this.#options.policy() ?? disabledPolicy;
    return html`<button
        class="tool"
        part="attach"
        type="button"
        aria-label=${strings.attach}
        title=${strings.attach}
        @click=${({ currentTarget }: Event) =>
          ((currentTarget as Element).nextElementSibling as HTMLInputElement).click()}
      >
        ${extraIcons.attach}
      </button>
      <input
        type="file"
        multiple
        hidden
        tabindex="-1"
        accept=${mediaTypes.length > 0 ? mediaTypes.join(',') : nothing}
        @change=${onPicked}
      />`;
  }

  get #current(): Uploads | undefined {
    return this.#byConversation.get(this.#options.conversationId());
  }
}
