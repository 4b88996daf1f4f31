import { type FileObject, idPrefix } from '@inlay/protocol';
import type { Clock } from '../../ports.ts';
import { attachmentsOf, requireFeature } from './features.ts';
import type { Ids } from './ids.ts';
import { invalidField, ProblemError } from './problem-error.ts';
import type { PlatformSettings } from './settings.ts';
import { toIsoString } from './tokens.ts';

interface StoredFile {
  readonly user: string;
  readonly object: FileObject;
  readonly content: File;
}

/** Uploaded files. */
export class Files {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #files = new Map<string, StoredFile>();

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }

  add(settings: PlatformSettings, user: string, form: FormData | null): FileObject {
    requireFeature(settings, user, 'attachments');
    if (!form) throw new ProblemError('UNSUPPORTED_MEDIA_TYPE');
    const file = form.get('file');
    if (!(file instanceof File)) throw invalidField('/file', 'must be a file');
    const { max_bytes, media_types } = attachmentsOf(settings, user);
    if (file.size > max_bytes) {
      throw new ProblemError('PAYLOAD_TOO_LARGE', {
        detail: `The file has more than ${max_bytes} bytes.`,
      });
    }
    if (file.size === 0) throw invalidField('/file', 'must not be empty');
    const type = file.type || 'application/octet-stream';
    const isAllowed = (allowed: string) =>
      allowed.endsWith('/*') ? type.startsWith(allowed.slice(0, -1)) : allowed === type;
    if (media_types.length > 0 && !media_types.some(isAllowed)) {
      const types = media_types.join(', ');
      throw invalidField('/file', `must be of one of these types: ${types}; it is ${type}`);
    }
    const object: FileObject = {
      type: 'file',
      id: this.#ids.next(idPrefix.file),
      filename: file.name,
      mime_type: type,
      size_bytes: file.size,
      created_at: toIsoString(this.#clock.now()),
    };
    this.#files.set(object.id, { user, object, content: file });
    return object;
  }

  content(user: string, id: string): Response {
    const file = this.#files.get(id);
    if (file?.user !== user) {
      throw new ProblemError('NOT_FOUND', {
        detail: 'There is no file with this id, or it is not yours.',
      });
    }
    return new Response(file.content, { headers: { 'content-type': file.object.mime_type } });
  }

  isOwn(user: string, id: string): boolean {
    return this.#files.get(id)?.user === user;
  }

  /** Deletes all files of a user. Returns their number. */
  deleteAll(user: string): number {
    const userFiles = [...this.#files.values()].filter((file) => file.user === user);
    for (const { object } of userFiles) this.#files.delete(object.id);
    return userFiles.length;
  }
}
