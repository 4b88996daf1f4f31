import { setImmediate as nextTurn } from 'node:timers/promises';
import { sleep } from '../../clock.ts';
import type { CatalogueModel } from '../../config/models.ts';
import { BudgetReservedError } from '../../model-api/model-limits.ts';
import { ApiError } from '../../problems/api-error.ts';
import { LeaseLostError } from '../../runs/run-queue.ts';
import type { Family } from '../../upstreams/families.ts';
import type { Job } from '../../workers/job-queue.ts';
import type { ChatModelFiles } from '../chat-model-files.ts';
import { deleteChunks } from './delete-contents.ts';
import { DocumentError } from './document-error.ts';
import { type EmbeddingServices, embeddingModel, embedTexts, toBytes } from './embeddings.ts';
import { readDocument } from './read-document.ts';
import { insertChunks } from './text-index.ts';
import { type Chunk, TextSplitter, tokensOf } from './text-splitter.ts';
import { usedBytes } from './vector-store-rows.ts';

/** Maximum chunks that are embedded and stored at a time. */
const chunksPerStep = 32;
/** UTF-16 code units of chunks after which they are stored, so that a step does not block for long. */
const lengthPerStep = 65_536;

/** Maximum waits for a rate limit before the attempt fails. */
const maximumWaits = 10;
/** Seconds of a wait if the provider names none. */
const defaultWait = 10;

/**
 * Splits the text of a file into chunks, and stores them with their vectors, in steps between which
 * the server handles other requests.
 *
 * @returns The bytes of the chunks.
 * @throws DocumentError if the text cannot be read; `LeaseLostError` if
 *   another process has the file, or it was removed or cancelled; an `ApiError` if the provider of
 *   the vectors fails.
 */
export async function indexFile(
  services: EmbeddingServices,
  { files, family }: { files: Pick<ChatModelFiles, 'openForIndex'>; family: Family },
  { row, leaseId, signal }: Job<'vector_store_files'>,
): Promise<number> {
  const { store, config } = services;
  const { vector_store_id: vectorStoreId, document_id: documentId } = row;
  const limits = config.limits.vector_stores;
  const model = embeddingModel(services);
  const file = await files.openForIndex(row.file_id);
  if (!file) throw new DocumentError('invalid_file', 'The file was deleted. Upload it again.');
  // Of an attempt that did not end.
  await deleteChunks(store.db, 'document_id', documentId, () => signal.aborted);

  let part = 0;
  let usageBytes = 0;
  let textBytes = 0;
  let waiting: Chunk[] = [];
  const earlierBytes = await usedBytes(store.db);
  const splitter = new TextSplitter({
    chunkTokens: row.chunk_tokens,
    overlapTokens: row.overlap_tokens,
  });
  for await (const piece of readDocument(file)) {
    textBytes += Buffer.byteLength(piece);
    if (tokensOf(textBytes) > limits.file_tokens) {
      throw new DocumentError(
        'invalid_file',
        `The text has more than ${limits.file_tokens} tokens. Divide the file.`,
      );
    }
    for (const chunk of splitter.add(piece)) await add(chunk);
  }
  for (const chunk of splitter.end()) await add(chunk);
  await storeChunks();
  if (part === 0) {
    throw new DocumentError('invalid_file', 'The file has no text.');
  }
  return usageBytes;

  async function add(chunk: Chunk): Promise<void> {
    waiting.push(chunk);
    const length = waiting.reduce((sum, { text }) => sum + text.length, 0);
    if (waiting.length >= chunksPerStep || length >= lengthPerStep) await storeChunks();
  }

  /** Embeds texts, and waits while a rate limit is reached: a large file may take several minutes. */
  async function embed(
    model: CatalogueModel,
    texts: readonly string[],
  ): Promise<readonly Float32Array[]> {
    for (let waits = 0; ; waits += 1) {
      try {
        return await embedTexts(services, family, { model, texts, signal });
      } catch (error) {
        const isLimited =
          error instanceof ApiError &&
          error.code === 'RATE_LIMITED' &&
          !(error instanceof BudgetReservedError);
        if (!isLimited || waits === maximumWaits) throw error;
        const seconds = error.extras.retryAfter ?? defaultWait;
        await sleep(services.clock, seconds * 1000, signal);
        signal.throwIfAborted();
      }
    }
  }

  async function storeChunks(): Promise<void> {
    const chunks = waiting;
    waiting = [];
    if (chunks.length === 0) return;
    signal.throwIfAborted();
    const texts = chunks.map(({ text }) => text);
    const vectors = model && (await embed(model, texts));
    const rows = chunks.map(({ text, overlap }, index) => {
      const vector = vectors?.[index];
      return {
        vectorStoreId,
        documentId,
        part: part + index,
        overlap,
        text,
        vector: vector ? toBytes(vector) : null,
        vectorModel: model?.id ?? null,
      };
    });
    for (const { text, vector } of rows) {
      usageBytes += Buffer.byteLength(text) + (vector?.byteLength ?? 0);
    }
    if (earlierBytes + usageBytes > limits.bytes) {
      throw new DocumentError(
        'invalid_file',
        `With this file, the vector stores would have more than ${limits.bytes} bytes. Delete files from them first.`,
      );
    }
    await store.transaction(async (transaction) => {
      const own = await transaction
        .selectFrom('vector_store_files')
        .select('document_id')
        .where('document_id', '=', documentId)
        .where('lease_id', '=', leaseId)
        .forUpdate()
        .executeTakeFirst();
      if (!own) throw new LeaseLostError();
      await insertChunks(transaction, rows);
    });
    part += chunks.length;
    await nextTurn();
  }
}
