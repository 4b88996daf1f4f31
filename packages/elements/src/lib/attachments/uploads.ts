import type { FileObject, UserContent } from '@inlay/protocol';
import { type AttachmentPolicy, type Refusal, refusalOf } from './attachment-policy.ts';

/** Brings a file to the platform. It rejects with what stands in the way. */
export type Upload = (
  file: File,
  options: { readonly onProgress: (fraction: number) => void; readonly signal: AbortSignal },
) => Promise<FileObject>;

/** A file on its way into a message. Immutable: a change makes a new object. */
export interface Attachment {
  readonly key: number;
  readonly file: File;
  /** `refused`: it may not be attached. `failed`: it could not be brought, and can be tried again. */
  readonly state: 'uploading' | 'done' | 'failed' | 'refused';
  /** How much of it has arrived, from 0 to 1. */
  readonly progress: number;
  /** Why it was refused; null otherwise. */
  readonly refusal: Refusal | null;
  /** What the platform made of it; null before. */
  readonly uploaded: FileObject | null;
}

/** At a time: more would only slow each other down. */
const parallel = 3;

/** The files of one message: checked, brought to the platform, and made into its content. */
export class Uploads {
  readonly #policy: () => AttachmentPolicy;
  readonly #upload: Upload;
  readonly #onChange: () => void;
  readonly #running = new Map<number, AbortController>();
  #items: readonly Attachment[] = [];
  #lastKey = 0;

  constructor(options: {
    /** What may be attached now: asked for each file that is added. */
    readonly policy: () => AttachmentPolicy;
    readonly upload: Upload;
    readonly onChange: () => void;
  }) {
    this.#policy = options.policy;
    this.#upload = options.upload;
    this.#onChange = options.onChange;
  }

  get items(): readonly Attachment[] {
    return this.#items;
  }

  /** Whether a message would lack a file that the user attached, if it were sent now. */
  get unfinished(): boolean {
    return this.#items.some(({ state }) => state === 'uploading' || state === 'failed');
  }

  /** What the message is to hold. */
  get content(): UserContent {
    return this.#items.flatMap(({ uploaded }): UserContent => {
      if (!uploaded) return [];
      const source = { type: 'file' as const, file_id: uploaded.id };
      return uploaded.mime_type.startsWith('image/')
        ? [{ type: 'image', source }]
        : [{ type: 'document', source, title: uploaded.filename }];
    });
  }

  add(files: Iterable<File>): void {
    for (const file of files) {
      const attached = this.#items.filter(({ state }) => state !== 'refused').length;
      const refusal = refusalOf(file, attached, this.#policy());
      this.#lastKey += 1;
      const state = refusal ? 'refused' : 'uploading';
      const item: Attachment = {
        key: this.#lastKey,
        file,
        state,
        progress: 0,
        refusal,
        uploaded: null,
      };
      this.#items = [...this.#items, item];
    }
    this.#work();
  }

  remove(key: number): void {
    this.#running.get(key)?.abort();
    this.#running.delete(key);
    this.#items = this.#items.filter((item) => item.key !== key);
    this.#work();
  }

  retry(key: number): void {
    this.#change(key, { state: 'uploading', progress: 0 });
    this.#work();
  }

  /** Forgets them all: they were sent, or are of no use any more. */
  clear(): void {
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
    this.#items = [];
    this.#onChange();
  }

  #work(): void {
    for (const item of this.#items) {
      if (this.#running.size >= parallel) break;
      if (item.state === 'uploading' && !this.#running.has(item.key)) void this.#bring(item);
    }
    this.#onChange();
  }

  async #bring({ key, file }: Attachment): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(key, controller);
    try {
      const onProgress = (progress: number) => {
        if (signal.aborted) return;
        this.#change(key, { progress });
        this.#onChange();
      };
      const uploaded = await this.#upload(file, { onProgress, signal });
      if (!signal.aborted) this.#change(key, { state: 'done', progress: 1, uploaded });
    } catch {
      if (!signal.aborted) this.#change(key, { state: 'failed' });
    }
    if (signal.aborted) return;
    this.#running.delete(key);
    this.#work();
  }

  #change(key: number, changes: Partial<Attachment>): void {
    this.#items = this.#items.map((item) => (item.key === key ? { ...item, ...changes } : item));
  }
}
