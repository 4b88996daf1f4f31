import { type FileObject, idPrefix } from '@inlay/protocol';
import type { Selectable } from 'kysely';
import type { Services } from '../deps.ts';
import type { ModelContent } from '../models/model.ts';
import { isoTime, secondsToNextUtcDay, utcDay } from '../ports/clock.ts';
import { newId } from '../ports/random.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import type { Schema } from '../store/schema.ts';
import { type Blobs, createBlobs } from './blobs.ts';
import { safeImageTypes, sniffType } from './sniff-type.ts';

type FileRow = Selectable<Schema['files']>;

type FileServices = Pick<Services, 'store' | 'clock' | 'random' | 'config' | 'dataDirectory'>;

/** Whose files: an end user of an agent. */
export interface FileOwner {
  readonly agentId: string;
  readonly externalUserId: string;
}

/** Uploaded files. Each belongs to the end user who uploaded it, and nobody else can tell it exists. */
export class Files {
  readonly #services: FileServices;
  readonly #blobs: Blobs;

  constructor(services: FileServices) {
    this.#services = services;
    this.#blobs = createBlobs(services.dataDirectory);
  }

  /** Throws `EMBED_QUOTA_EXCEEDED` where the owner uploaded enough for the day. */
  async add(owner: FileOwner, filename: string, bytes: Uint8Array): Promise<FileObject> {
    await this.#requireRoom(owner, bytes.byteLength);
    const row: FileRow = {
      id: newId(this.#services.random, idPrefix.file),
      agent_id: owner.agentId,
      external_user_id: owner.externalUserId,
      filename: cleanName(filename),
      mime_type: sniffType(bytes),
      size_bytes: bytes.byteLength,
      created_at: this.#services.clock.now(),
    };
    // Bytes first: a row without them would promise what is not there.
    await this.#blobs.put(row.id, bytes);
    await this.#services.store.db.insertInto('files').values(row).execute();
    return toFileObject(row);
  }

  async isOwn(owner: FileOwner, id: string): Promise<boolean> {
    return (await this.#find(owner, id)) !== undefined;
  }

  /** Throws `NOT_FOUND` for one that is not there, and for another user's alike. */
  async read(owner: FileOwner, id: string): Promise<{ file: FileObject; bytes: Uint8Array }> {
    const row = await this.#find(owner, id);
    const bytes = row && (await this.#blobs.get(row.id));
    if (!row || !bytes) throw notFound('There is no file of this id, or it is not yours.');
    return { file: toFileObject(row), bytes };
  }

  /** What a model gets of an attachment: a picture, a text, or at least its name. */
  async forModel(owner: FileOwner, id: string): Promise<ModelContent | null> {
    const row = await this.#find(owner, id);
    const bytes = row && (await this.#blobs.get(row.id));
    if (!row || !bytes) return null;
    if (safeImageTypes.has(row.mime_type)) return { type: 'image', mimeType: row.mime_type, bytes };
    const name = JSON.stringify(row.filename);
    if (row.mime_type === 'text/plain') {
      const text = new TextDecoder().decode(bytes.subarray(0, textLimit));
      return { type: 'text', text: `[Attached file ${name}]\n${text}` };
    }
    return { type: 'text', text: `[Attached file ${name}, ${row.mime_type}, cannot be read]` };
  }

  /** Uploads at the same moment may go over by what the concurrency limit lets through, no more. */
  async #requireRoom(owner: FileOwner, size: number): Promise<void> {
    const { store, clock, config } = this.#services;
    const now = clock.now();
    const row = await store.db
      .selectFrom('files')
      .select((eb) => eb.fn.sum('size_bytes').as('bytes'))
      .where('agent_id', '=', owner.agentId)
      .where('external_user_id', '=', owner.externalUserId)
      .where('created_at', '>=', Date.parse(utcDay(now)))
      .executeTakeFirst();
    const most = config.bodies.user_file_bytes_per_day;
    if (Number(row?.bytes ?? 0) + size <= most) return;
    throw new ApiError(
      'EMBED_QUOTA_EXCEEDED',
      `You may upload at most ${most} bytes of files in a day. The next one begins at 00:00 UTC.`,
      { retryAfter: secondsToNextUtcDay(now) },
    );
  }

  #find(owner: FileOwner, id: string): Promise<FileRow | undefined> {
    return this.#services.store.db
      .selectFrom('files')
      .selectAll()
      .where('id', '=', id)
      .where('agent_id', '=', owner.agentId)
      .where('external_user_id', '=', owner.externalUserId)
      .executeTakeFirst();
  }
}

/** Bytes of a text that a model gets; more would crowd out the conversation. */
const textLimit = 200_000;

/** The last part of whatever path was sent, without what a header or a file system would stumble over. */
function cleanName(filename: string): string {
  const name = filename.split(/[\\/]/).at(-1) ?? '';
  const clean = name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').slice(0, 200);
  // The cut may have parted a pair of surrogates.
  return clean.replace(/\p{Cs}$/u, '') || 'file';
}

function toFileObject(row: FileRow): FileObject {
  return {
    type: 'file',
    id: row.id,
    filename: row.filename,
    mime_type: row.mime_type,
    size_bytes: Number(row.size_bytes),
    created_at: isoTime(Number(row.created_at)),
  };
}
