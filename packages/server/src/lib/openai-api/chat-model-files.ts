import type { Selectable } from 'kysely';
import { describeChange, unrecorded } from '../audit/audit.ts';
import { cleanName } from '../files/file-names.ts';
import { isAfter } from '../http/paging.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';
import { newIdAt } from '../random.ts';
import { type SweepStep, stepSize } from '../retention/sweep-step.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Services } from '../services.ts';
import type { ChatModelFilesTable } from '../store/schema.ts';
import { DocumentSniffer, isSupportedType } from './document-sniffer.ts';
import { type ListQuery, toList, unknownCursor } from './lists.ts';
import { detachFiles } from './vector-stores/file-counts.ts';
import type { DocumentFile } from './vector-stores/read-document.ts';

export type FileRow = Selectable<ChatModelFilesTable>;

type FileServices = Pick<ServiceOptions, 'store' | 'clock' | 'random'> &
  Pick<Services, 'blobDeletions'>;

/** The fields of an upload besides the file. */
export interface FileFields {
  readonly purpose: string;
  /** Seconds after which the file is deleted; null keeps it. */
  readonly expiresAfter: number | null;
}

/** Milliseconds after which an incomplete upload counts as abandoned. */
const uploadDeadline = 3_600_000;

/** Uploaded files (docs/conformance.md, 4.13.10 and 4.13.11). */
export class ChatModelFiles {
  readonly #services: FileServices;

  constructor(services: FileServices) {
    this.#services = services;
  }

  /**
   * Stores a file as it arrives, without keeping all of it in memory.
   *
   * @param fields Called after the last byte, for the other fields of the form. If it throws, the
   *   file is deleted.
   * @throws ApiError `VALIDATION_ERROR` if the type of the file is not supported.
   */
  async add(
    owner: string,
    { filename, bytes }: { filename: string; bytes: AsyncIterable<Uint8Array> },
    fields: () => Promise<FileFields>,
  ): Promise<object> {
    const { store, random, clock } = this.#services;
    const now = clock.now();
    const id = newIdAt(random, now, 'file-');
    const row: FileRow = {
      id,
      owner,
      filename: cleanName(filename),
      purpose: '',
      mime_type: '',
      size_bytes: 0,
      is_complete: 0,
      created_at: now,
      expires_at: null,
    };
    describeChange({ subject: `files/${id}` });
    // The row is inserted before the content, so that a crash leaves no content without a row.
    await store.db.insertInto('chat_model_files').values(row).execute();
    try {
      const sniffer = new DocumentSniffer();
      await store.blobs.put(id, inspect(bytes));
      row.mime_type = sniffer.end();
      if (!isSupportedType(row.mime_type)) {
        throw invalidField(
          '/file',
          `must be a PDF or Office document, an image, audio, video, or text in UTF-8; its content is ${row.mime_type}`,
        );
      }
      const { purpose, expiresAfter } = await fields();
      row.purpose = purpose;
      row.expires_at = expiresAfter === null ? null : now + expiresAfter * 1000;
      row.is_complete = 1;
      const { numUpdatedRows } = await store.db
        .updateTable('chat_model_files')
        .set(row)
        .where('id', '=', id)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return toFile(row);
      throw new ApiError('CONFLICT', 'The upload took too long, and was deleted. Upload it again.');

      async function* inspect(pieces: AsyncIterable<Uint8Array>) {
        for await (const piece of pieces) {
          row.size_bytes = Number(row.size_bytes) + piece.byteLength;
          sniffer.add(piece);
          yield piece;
        }
      }
    } catch (error) {
      // If the removal fails, the sweep deletes the row and the content.
      await unrecorded(() => this.#remove([id])).catch(() => {});
      throw error;
    }
  }

  async list(
    owner: string,
    { limit, order, after, purpose }: ListQuery & { purpose?: string | undefined },
  ) {
    let query = this.#query()
      .where('owner', '=', owner)
      .orderBy('created_at', order)
      .orderBy('id', order)
      .limit(limit + 1);
    if (purpose !== undefined) query = query.where('purpose', '=', purpose);
    if (after !== undefined) {
      const last = await this.#query()
        .where('owner', '=', owner)
        .where('id', '=', after)
        .executeTakeFirst();
      if (!last) throw unknownCursor();
      const position = { at: Number(last.created_at), id: last.id };
      query = query.where(isAfter('created_at', position, order));
    }
    return toList((await query.execute()).map(toFile), limit);
  }

  /** @throws ApiError `NOT_FOUND` */
  async find(owner: string, id: string): Promise<FileRow> {
    const row = await this.#query()
      .where('owner', '=', owner)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw fileNotFound(id);
    return row;
  }

  /**
   * Checks that files exist.
   *
   * @throws ApiError `NOT_FOUND`
   */
  async requireAll(owner: string, ids: readonly string[]): Promise<void> {
    const found = new Set<string>();
    for (let index = 0; index < ids.length; index += stepSize) {
      const rows = await this.#query()
        .where('owner', '=', owner)
        .where('id', 'in', ids.slice(index, index + stepSize))
        .execute();
      for (const { id } of rows) found.add(id);
    }
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw fileNotFound(missing);
  }

  /** Opens a file of a vector store; null if it was deleted. */
  async openForIndex(id: string): Promise<DocumentFile | null> {
    const row = await this.#query().where('id', '=', id).executeTakeFirst();
    const bytes = row && (await this.#services.store.blobs.read(id));
    if (!bytes) return null;
    const { filename, mime_type: mimeType, size_bytes: sizeBytes } = row;
    return { filename, mimeType, sizeBytes: Number(sizeBytes), bytes };
  }

  /**
   * Opens the content of a file.
   *
   * @throws ApiError `NOT_FOUND`
   */
  async open(
    owner: string,
    id: string,
  ): Promise<{ row: FileRow; bytes: AsyncIterable<Uint8Array> }> {
    const row = await this.find(owner, id);
    const bytes = await this.#services.store.blobs.read(id);
    if (!bytes) throw fileNotFound(id);
    return { row, bytes };
  }

  async delete(owner: string, id: string): Promise<void> {
    await this.find(owner, id);
    await this.#remove([id]);
  }

  /** A step of the sweep: deletes expired files, and uploads that were not completed in time. */
  readonly deleteExpired: SweepStep = async () => {
    const { store, clock } = this.#services;
    const now = clock.now();
    const rows = await store.db
      .selectFrom('chat_model_files')
      .select('id')
      .where(({ or, and, eb }) =>
        or([
          eb('expires_at', '<=', now),
          and([eb('is_complete', '=', 0), eb('created_at', '<', now - uploadDeadline)]),
        ]),
      )
      .limit(stepSize)
      .execute();
    await this.#remove(rows.map(({ id }) => id));
    return rows.length;
  };

  /**
   * Deletes rows and their entries in vector stores. The contents of the files are deleted in the background.
   */
  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { store, blobDeletions } = this.#services;
    await store.transaction(async (transaction) => {
      await transaction.deleteFrom('chat_model_files').where('id', 'in', ids).execute();
      await detachFiles(transaction, ids);
      await blobDeletions.add(transaction, ids);
    });
    blobDeletions.wake();
  }

  /** Selects complete files that have not expired. */
  #query() {
    const { store, clock } = this.#services;
    return store.db
      .selectFrom('chat_model_files')
      .selectAll()
      .where('is_complete', '=', 1)
      .where(({ or, eb }) =>
        or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.now())]),
      );
  }
}

/** Converts a row to a file object of the official API. */
export function toFile(row: FileRow) {
  return {
    id: row.id,
    object: 'file',
    bytes: Number(row.size_bytes),
    created_at: Math.floor(Number(row.created_at) / 1000),
    ...(row.expires_at !== null && { expires_at: Math.floor(Number(row.expires_at) / 1000) }),
    filename: row.filename,
    purpose: row.purpose,
    status: 'processed',
  };
}

function fileNotFound(id: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no file \`${id.slice(0, 100)}\`.`, {
    familyCode: 'file_not_found',
    param: 'file_id',
  });
}
