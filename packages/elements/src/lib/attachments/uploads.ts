import type { FileObject, UserContent } from '@inlay/protocol';
import { inlayErrorOf } from '../chat/client-controller.ts';
import { type AttachmentPolicy, type Refusal, refusalOf } from './attachment-policy.ts';

/** Uploads a file to the platform. Rejects if the upload fails. */
export type Upload = (
  file: File,
  options: { readonly onProgress: (fraction: number) => void; readonly signal: AbortSignal },
) => Promise<FileObject>;

/** A file of an unsent message. Immutable: each change creates a new object. */
export interface Attachment {
  readonly key: number;
  readonly file: File;
  /** `refused`: the policy does not allow it. `failed`: the upload failed and can be retried. */
  readonly state: 'uploading' | 'done' | 'failed' | 'refused';
  /** Uploaded share, from 0 to 1. */
  readonly progress: number;
  /** Why the file was refused; null if it was not refused. */
  readonly refusal: Refusal | null;
  /** The platform's file; null until the upload is done. */
  readonly uploaded: FileObject | null;
}

/** Maximum number of simultaneous uploads. */
const maxParallelUploads = 3;

/** Checks and uploads the files of one message. */
export class Uploads {
  readonly #policy: () => AttachmentPolicy;
  readonly #upload: Upload;
  readonly #onChange: () => void;
  readonly #running = new Map<number, AbortController>();
  #items: readonly Attachment[] = [];
  #lastKey = 0;

  constructor(options: {
    /** Returns the current policy; called for each added file. */
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

  /**
   * Whether the upload of a file is in progress or has failed. The message must not be sent until the
   * file is uploaded or removed.
   */
  get unfinished(): boolean {
    return this.#items.some(({ state }) => state === 'uploading' || state === 'failed');
  }

  /** Blocks of the uploaded files, for the content of the message. */
  get content(): UserContent {
    return this.#items.flatMap(({ uploaded }): UserContent => {
      if (!uploaded) return [];
      const { id, filename, mime_type, size_bytes } = uploaded;
      const source = { type: 'file' as const, file_id: id };
      return mime_type.startsWith('image/')
        ? [{ type: 'image', source }]
        : [{ type: 'document', source, title: filename, size_bytes }];
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
    this.#startUploads();
  }

  remove(key: number): void {
    this.#running.get(key)?.abort();
    this.#running.delete(key);
    this.#items = this.#items.filter((item) => item.key !== key);
    this.#startUploads();
  }

  retry(key: number): void {
    this.#change(key, { state: 'uploading', progress: 0 });
    this.#startUploads();
  }

  /** Aborts the uploads and removes all files. */
  clear(): void {
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
    this.#items = [];
    this.#onChange();
  }

  #startUploads(): void {
    for (const item of this.#items) {
      if (this.#running.size >= maxParallelUploads) break;
      if (item.state === 'uploading' && !this.#running.has(item.key)) void this.#start(item);
    }
    this.#onChange();
  }

  async #start({ key, file }: Attachment): Promise<void> {
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
    } catch (error) {
      if (!signal.aborted) this.#change(key, failureOf(error));
    }
    if (signal.aborted) return;
    this.#running.delete(key);
    this.#startUploads();
  }

  #change(key: number, changes: Partial<Attachment>): void {
    this.#items = this.#items.map((item) => (item.key === key ? { ...item, ...changes } : item));
  }
}

/** The state after a failed upload. A file that the platform refuses can't be uploaded again. */
function failureOf(error: unknown): Partial<Attachment> {
  const { code, status } = inlayErrorOf(error);
  if (status === 413) return { state: 'refused', refusal: 'too_large' };
  if (code === 'VALIDATION_ERROR') return { state: 'refused', refusal: 'wrong_type' };
  return { state: 'failed' };
}
