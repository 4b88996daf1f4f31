import type { Kysely, Selectable, Transaction } from 'kysely';
import { ApiError } from '../../problems/api-error.ts';
import { newId } from '../../random.ts';
import type { ServiceOptions } from '../../service-options.ts';
import type { Schema, VectorStoreFilesTable } from '../../store/schema.ts';
import type { ChatModelFiles } from '../chat-model-files.ts';
import { toList } from '../lists.ts';
import { addCounts, removeFiles, toFileCounts } from './file-counts.ts';
import { readPage } from './read-page.ts';
import type { AddFile, Attributes, VectorStoreFileList } from './vector-store-requests.ts';
import {
  lockStore,
  requireActive,
  seconds,
  touch,
  usedBytes,
  vectorStoreNotFound,
} from './vector-store-rows.ts';

type FileRow = Selectable<VectorStoreFilesTable>;

/** Rows that are inserted or looked up at a time. */
const rowsPerQuery = 200;
/** Chunks that are read at a time. */
const chunksPerQuery = 50;

/** Files of vector stores. They are indexed in the background. */
export class VectorStoreFiles {
  readonly #services: Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'config'>;
  readonly #files: Pick<ChatModelFiles, 'requireAll'>;

  constructor(
    services: Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'config'>,
    files: Pick<ChatModelFiles, 'requireAll'>,
  ) {
    this.#services = services;
    this.#files = files;
  }

  /** Adds a file, and returns it. A file that the vector store has already is indexed again. */
  async add(owner: string, storeId: string, file: AddFile): Promise<object> {
    await this.requireFiles(owner, [file.file_id]);
    await this.#services.store.transaction((transaction) =>
      this.attach(transaction, storeId, [file], null),
    );
    return this.read(storeId, file.file_id);
  }

  /**
   * Checks that files exist, and that their tenant may store more.
   *
   * @throws ApiError `NOT_FOUND`, `VALIDATION_ERROR`
   */
  async requireFiles(owner: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#files.requireAll(owner, ids);
    const { store, config } = this.#services;
    const maximum = config.limits.vector_stores.bytes;
    if ((await usedBytes(store.db)) < maximum) return;
    throw new ApiError(
      'VALIDATION_ERROR',
      `The vector stores have ${maximum} bytes, which is the maximum. Delete files from them first.`,
      { familyCode: 'vector_store_limit_exceeded' },
    );
  }

  /**
   * Adds files in a transaction, and queues them for indexing.
   *
   * @throws ApiError `NOT_FOUND` without the vector store; `VALIDATION_ERROR` if it has expired or
   *   would have too many files.
   */
  async attach(
    transaction: Transaction<Schema>,
    storeId: string,
    files: readonly AddFile[],
    batchId: string | null,
  ): Promise<void> {
    if (files.length === 0) return;
    const { clock, random, config } = this.#services;
    const now = clock.now();
    const row = await lockStore(transaction, storeId);
    requireActive(row, now);
    let replaced = 0;
    for (const part of partsOf(files)) {
      const ids = part.map((file) => file.file_id);
      const existing = await transaction
        .selectFrom('vector_store_files')
        .selectAll()
        .where('vector_store_id', '=', storeId)
        .where('file_id', 'in', ids)
        .execute();
      replaced += existing.length;
      await removeFiles(transaction, existing);
      await transaction
        .insertInto('vector_store_files')
        .values(
          part.map(
            (file): FileRow => ({
              vector_store_id: storeId,
              file_id: file.file_id,
              document_id: newId(random, 'doc_'),
              batch_id: batchId,
              status: 'in_progress',
              last_error: null,
              attributes: JSON.stringify(file.attributes),
              chunk_tokens: file.chunking_strategy.max_chunk_size_tokens,
              overlap_tokens: file.chunking_strategy.chunk_overlap_tokens,
              usage_bytes: 0,
              worker: null,
              lease_id: null,
              run_after: 0,
              attempt: 0,
              created_at: now,
            }),
          ),
        )
        .execute();
    }
    const maximum = config.limits.vector_stores.files;
    if (toFileCounts(row).total - replaced + files.length > maximum) {
      throw new ApiError(
        'VALIDATION_ERROR',
        `A vector store may have at most ${maximum} files. Delete some first, or use another vector store.`,
        { familyCode: 'vector_store_limit_exceeded' },
      );
    }
    await addCounts(transaction, 'vector_stores', storeId, { in_progress: files.length });
    await touch(transaction, storeId, now);
  }

  async list(storeId: string, query: VectorStoreFileList, batchId?: string) {
    const { db } = this.#services.store;
    await this.#requireStore(storeId);
    const base = () => {
      let rows = db.selectFrom('vector_store_files').where('vector_store_id', '=', storeId);
      if (batchId !== undefined) rows = rows.where('batch_id', '=', batchId);
      return rows;
    };
    const rows = await readPage(query, {
      idColumn: 'file_id',
      find: (id) =>
        base().select(['created_at', 'file_id as id']).where('file_id', '=', id).executeTakeFirst(),
      select: (condition, order, limit) => {
        const filtered =
          query.filter === undefined ? base() : base().where('status', '=', query.filter);
        return filtered
          .selectAll()
          .where(condition)
          .orderBy('created_at', order)
          .orderBy('file_id', order)
          .limit(limit)
          .execute();
      },
    });
    return toList(rows.map(toVectorStoreFile), query.limit);
  }

  async read(storeId: string, fileId: string) {
    return toVectorStoreFile(await this.#find(storeId, fileId));
  }

  /** Replaces the attributes of a file. */
  async update(storeId: string, fileId: string, attributes: Attributes | null): Promise<object> {
    await this.#requireStore(storeId);
    const row = await this.#services.store.db
      .updateTable('vector_store_files')
      .set({ attributes: JSON.stringify(attributes ?? {}) })
      .where('vector_store_id', '=', storeId)
      .where('file_id', '=', fileId)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw fileNotFound(fileId);
    return toVectorStoreFile(row);
  }

  /** Removes a file from a vector store. The uploaded file stays. */
  async delete(storeId: string, fileId: string): Promise<void> {
    await this.#services.store.transaction(async (transaction) => {
      await lockStore(transaction, storeId);
      await removeFiles(transaction, [await findFile(transaction, storeId, fileId)]);
    });
  }

  /** Yields the text of a file in pieces, without the overlaps of its chunks. */
  async content(storeId: string, fileId: string): Promise<AsyncGenerator<string>> {
    const { db } = this.#services.store;
    const row = await this.#find(storeId, fileId);
    if (row.status !== 'completed') {
      throw new ApiError(
        'CONFLICT',
        `The file has the status \`${row.status}\`. Its text can be read when it is \`completed\`.`,
        { familyCode: 'vector_store_file_not_ready' },
      );
    }
    async function* texts() {
      for (let next = 0; ; next += chunksPerQuery) {
        const chunks = await db
          .selectFrom('vector_store_chunks')
          .select(['text', 'overlap'])
          .where('document_id', '=', row.document_id)
          .where('part', '>=', next)
          .where('part', '<', next + chunksPerQuery)
          .orderBy('part')
          .execute();
        for (const { text, overlap } of chunks) yield text.slice(overlap);
        if (chunks.length < chunksPerQuery) return;
      }
    }
    return texts();
  }

  async #find(storeId: string, fileId: string): Promise<FileRow> {
    await this.#requireStore(storeId);
    return findFile(this.#services.store.db, storeId, fileId);
  }

  async #requireStore(id: string): Promise<void> {
    const row = await this.#services.store.db
      .selectFrom('vector_stores')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw vectorStoreNotFound(id);
  }
}

/** @throws ApiError `NOT_FOUND` */
async function findFile(db: Kysely<Schema>, storeId: string, fileId: string): Promise<FileRow> {
  const row = await db
    .selectFrom('vector_store_files')
    .selectAll()
    .where('vector_store_id', '=', storeId)
    .where('file_id', '=', fileId)
    .executeTakeFirst();
  if (!row) throw fileNotFound(fileId);
  return row;
}

function* partsOf<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let index = 0; index < values.length; index += rowsPerQuery) {
    yield values.slice(index, index + rowsPerQuery);
  }
}

function toVectorStoreFile(row: FileRow) {
  return {
    id: row.file_id,
    object: 'vector_store.file',
    created_at: seconds(row.created_at),
    vector_store_id: row.vector_store_id,
    status: row.status,
    usage_bytes: Number(row.usage_bytes),
    last_error: row.last_error === null ? null : JSON.parse(row.last_error),
    attributes: JSON.parse(row.attributes),
    chunking_strategy: {
      type: 'static',
      static: {
        max_chunk_size_tokens: row.chunk_tokens,
        chunk_overlap_tokens: row.overlap_tokens,
      },
    },
  };
}

function fileNotFound(id: string): ApiError {
  return new ApiError(
    'NOT_FOUND',
    `There is no file \`${id.slice(0, 100)}\` in this vector store.`,
    { familyCode: 'file_not_found', param: 'file_id' },
  );
}
