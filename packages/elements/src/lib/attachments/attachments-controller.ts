import type { UserContent } from '@inlay/protocol';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { loadElement } from '../lazy-elements.ts';
import type { AttachmentPolicy } from './attachment-policy.ts';
import type { Attachment, Upload, Uploads } from './uploads.ts';

export interface AttachmentsOptions {
  /** Current policy; null if attachments are disabled. */
  readonly policy: () => AttachmentPolicy | null;
  readonly upload: () => Upload | null;
  /** Key of the current conversation. Each conversation has its own unsent files. */
  readonly conversationId: () => string;
  /**
   * Called if the module or the element for attachments can't be loaded. The user has to choose the
   * files again.
   */
  readonly onUnavailable: () => void;
}

/** Unsent files of a conversation. */
interface UnsentFiles {
  /** Null until the module `uploads.ts` is loaded. */
  uploads: Uploads | null;
  /** Number of `add` calls that wait for the module. */
  pendingAdds: number;
}

const noItems: readonly Attachment[] = [];

/** Manages the unsent files of each conversation. The module that uploads them is lazy-loaded. */
export class AttachmentsController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: AttachmentsOptions;
  readonly #byConversation = new Map<string, UnsentFiles>();

  constructor(host: ReactiveControllerHost, options: AttachmentsOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  get items(): readonly Attachment[] {
    return this.#current?.uploads?.items ?? noItems;
  }

  /**
   * Whether an attached file is still being read or uploaded, or its upload has failed. The message
   * must not be sent until the file is uploaded or removed.
   */
  get unfinished(): boolean {
    const { uploads, pendingAdds = 0 } = this.#current ?? {};
    return pendingAdds > 0 || (uploads?.unfinished ?? false);
  }

  /** Blocks of the uploaded files, for the content of the message. */
  get content(): UserContent {
    return this.#current?.uploads?.content ?? [];
  }

  get enabled(): boolean {
    return this.#options.policy() !== null && this.#options.upload() !== null;
  }

  async add(files: Iterable<File>): Promise<void> {
    // Copied, because browsers empty the FileList of a drop or paste after the event.
    const fileList = [...files];
    const id = this.#options.conversationId();
    const upload = this.#options.upload();
    if (fileList.length === 0 || !this.enabled || !upload) return;
    const unsent = this.#byConversation.get(id) ?? { uploads: null, pendingAdds: 0 };
    this.#byConversation.set(id, unsent);
    unsent.pendingAdds += 1;
    this.#host.requestUpdate();
    const [module, isElementLoaded] = await Promise.all([
      import('./uploads.ts').catch(() => null),
      loadElement('inlay-attachments'),
    ]);
    unsent.pendingAdds -= 1;
    this.#host.requestUpdate();
    // Another user may have signed in, who must not get the files of the previous user.
    if (![...this.#byConversation.values()].includes(unsent)) return;
    if (!module || !isElementLoaded) return this.#options.onUnavailable();
    unsent.uploads ??= new module.Uploads({
      policy: () => this.#options.policy() ?? disabledPolicy,
      upload: (file, options) => (this.#options.upload() ?? upload)(file, options),
      onChange: () => this.#host.requestUpdate(),
    });
    unsent.uploads.add(fileList);
  }

  remove(key: number): void {
    this.#current?.uploads?.remove(key);
  }

  retry(key: number): void {
    this.#current?.uploads?.retry(key);
  }

  /** Removes the files of the current conversation, after its message was sent. */
  clear(): void {
    this.#current?.uploads?.clear();
    this.#byConversation.delete(this.#options.conversationId());
  }

  /** Moves the files of a conversation to another key, for example its new session id. */
  move(from: string, to: string): void {
    const unsent = this.#byConversation.get(from);
    if (!unsent || this.#byConversation.has(to)) return;
    this.#byConversation.delete(from);
    this.#byConversation.set(to, unsent);
  }

  /** Removes the files of all conversations, when another user signs in. */
  forget(): void {
    for (const { uploads } of this.#byConversation.values()) uploads?.clear();
    this.#byConversation.clear();
  }

  hostConnected() {
    // TypeScript requires one of the interface's optional members.
  }

  get #current(): UnsentFiles | undefined {
    return this.#byConversation.get(this.#options.conversationId());
  }
}

const disabledPolicy: AttachmentPolicy = { maxBytes: 0, maxFiles: 0, mediaTypes: [] };
