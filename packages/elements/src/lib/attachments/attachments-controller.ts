import type { UserContent } from '@inlay/protocol';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { loadElement } from '../lazy-elements.ts';
import type { AttachmentPolicy } from './attachment-policy.ts';
import type { Attachment, Upload, Uploads } from './uploads.ts';

export interface AttachmentsOptions {
  /** What may be attached now; null for nothing. */
  readonly policy: () => AttachmentPolicy | null;
  readonly upload: () => Upload | null;
  /** The conversation that is written in: each has files of its own. */
  readonly conversationId: () => string;
  /** The module that handles files could not be loaded: the user has to choose the files again. */
  readonly onUnavailable: () => void;
}

/** What waits beside the text of one conversation. */
interface Waiting {
  /** Null until what takes files is loaded. */
  uploads: Uploads | null;
  /** How many times files were chosen that are not taken yet. */
  opening: number;
}

const none: readonly Attachment[] = [];

/** The files that wait beside the text of each conversation. What handles them loads with the first. */
export class AttachmentsController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: AttachmentsOptions;
  readonly #byConversation = new Map<string, Waiting>();

  constructor(host: ReactiveControllerHost, options: AttachmentsOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  get items(): readonly Attachment[] {
    return this.#current?.uploads?.items ?? none;
  }

  /** Whether a message would lack a file that the user attached, if it were sent now. */
  get unfinished(): boolean {
    const { uploads, opening = 0 } = this.#current ?? {};
    return opening > 0 || (uploads?.unfinished ?? false);
  }

  /** What the message is to hold beside its text. */
  get content(): UserContent {
    return this.#current?.uploads?.content ?? [];
  }

  get enabled(): boolean {
    return this.#options.policy() !== null && this.#options.upload() !== null;
  }

  async add(files: Iterable<File>): Promise<void> {
    // A list of the page's is emptied as soon as the event is over.
    const kept = [...files];
    const id = this.#options.conversationId();
    const upload = this.#options.upload();
    if (kept.length === 0 || !this.enabled || !upload) return;
    const waiting = this.#byConversation.get(id) ?? { uploads: null, opening: 0 };
    this.#byConversation.set(id, waiting);
    waiting.opening += 1;
    this.#host.requestUpdate();
    const [module, shown] = await Promise.all([
      import('./uploads.ts').catch(() => null),
      loadElement('inlay-attachments'),
    ]);
    waiting.opening -= 1;
    this.#host.requestUpdate();
    // Another user writes now: they must not get what the former one chose.
    if (![...this.#byConversation.values()].includes(waiting)) return;
    if (!module || !shown) return this.#options.onUnavailable();
    waiting.uploads ??= new module.Uploads({
      policy: () => this.#options.policy() ?? nothingAllowed,
      upload: (file, options) => (this.#options.upload() ?? upload)(file, options),
      onChange: () => this.#host.requestUpdate(),
    });
    waiting.uploads.add(kept);
  }

  remove(key: number): void {
    this.#current?.uploads?.remove(key);
  }

  retry(key: number): void {
    this.#current?.uploads?.retry(key);
  }

  /** The message was sent: its files are no longer waiting. */
  clear(): void {
    this.#current?.uploads?.clear();
    this.#byConversation.delete(this.#options.conversationId());
  }

  /** A conversation has another name now, and still the same files. */
  move(from: string, to: string): void {
    const waiting = this.#byConversation.get(from);
    if (!waiting || this.#byConversation.has(to)) return;
    this.#byConversation.delete(from);
    this.#byConversation.set(to, waiting);
  }

  /** Another user writes now. */
  forget(): void {
    for (const { uploads } of this.#byConversation.values()) uploads?.clear();
    this.#byConversation.clear();
  }

  hostConnected() {
    // Nothing to begin: files come by the user.
  }

  get #current(): Waiting | undefined {
    return this.#byConversation.get(this.#options.conversationId());
  }
}

const nothingAllowed: AttachmentPolicy = { maxBytes: 0, maxFiles: 0, mediaTypes: [] };
