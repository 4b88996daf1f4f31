import type { UserContent } from '@inlay/protocol';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { need } from '../on-demand.ts';
import type { AttachmentPolicy } from './attachment-policy.ts';
import type { Attachment, Upload, Uploads } from './uploads.ts';

export interface AttachmentsOptions {
  /** What may be attached now; null for nothing. */
  readonly policy: () => AttachmentPolicy | null;
  readonly upload: () => Upload | null;
  /** The conversation that is written in: each has files of its own. */
  readonly thread: () => string;
  /** What takes files could not be loaded: the person has to choose them again. */
  readonly onUnavailable: () => void;
}

const none: readonly Attachment[] = [];

/** The files that wait beside the text of each conversation. What handles them loads with the first. */
export class AttachmentsController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: AttachmentsOptions;
  readonly #threads = new Map<string, Uploads>();

  constructor(host: ReactiveControllerHost, options: AttachmentsOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  get items(): readonly Attachment[] {
    return this.#current?.items ?? none;
  }

  /** Whether a message would lack a file that the person attached, if it were sent now. */
  get unfinished(): boolean {
    return this.#current?.unfinished ?? false;
  }

  /** What the message is to hold beside its text. */
  get content(): UserContent {
    return this.#current?.content ?? [];
  }

  get enabled(): boolean {
    return this.#options.policy() !== null && this.#options.upload() !== null;
  }

  async add(files: Iterable<File>): Promise<void> {
    // A list of the page's is emptied as soon as the event is over.
    const kept = [...files];
    const thread = this.#options.thread();
    const upload = this.#options.upload();
    if (kept.length === 0 || !this.enabled || !upload) return;
    const [module, shown] = await Promise.all([
      import('./uploads.ts').catch(() => null),
      need('inlay-attachments'),
    ]);
    if (!module || !shown) return this.#options.onUnavailable();
    const uploads =
      this.#threads.get(thread) ??
      new module.Uploads({
        policy: () => this.#options.policy() ?? nothingAllowed,
        upload: (file, options) => (this.#options.upload() ?? upload)(file, options),
        onChange: () => this.#host.requestUpdate(),
      });
    this.#threads.set(thread, uploads);
    uploads.add(kept);
  }

  remove(key: number): void {
    this.#current?.remove(key);
  }

  retry(key: number): void {
    this.#current?.retry(key);
  }

  /** The message was sent: its files are no longer waiting. */
  clear(): void {
    this.#current?.clear();
    this.#threads.delete(this.#options.thread());
  }

  /** Another person writes now. */
  forget(): void {
    for (const uploads of this.#threads.values()) uploads.clear();
    this.#threads.clear();
  }

  hostConnected() {
    // Nothing to begin: files come by the person.
  }

  get #current(): Uploads | undefined {
    return this.#threads.get(this.#options.thread());
  }
}

const nothingAllowed: AttachmentPolicy = { maxBytes: 0, maxFiles: 0, mediaTypes: [] };
