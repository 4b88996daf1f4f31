import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { queryTerms } from '../../events/search-terms.ts';
import { describeError } from '../../log/logger.ts';
import { ApiError } from '../../problems/api-error.ts';
import type { Family } from '../../upstreams/families.ts';
import { cosine, type EmbeddingServices, embeddingModel, embedTexts } from './embeddings.ts';
import { type ChunkRange, findByTerms, isSearched } from './text-index.ts';
import { TextScores } from './text-scores.ts';
import type { AttributeFilter, Attributes, SearchRequest } from './vector-store-requests.ts';
import { requireActive, touch, type VectorStoreRow } from './vector-store-rows.ts';

/** Chunks of the vector store that one query of the full-text index covers. */
const chunksPerTextQuery = 5_000;
/** Vectors that are compared without a pause. */
const vectorsPerQuery = 200;
/** Files whose attributes are read at a time. */
const filesPerQuery = 1000;
/** Chunks that each of the two searches contributes to the ranking. */
const candidates = 100;
/** Chunks whose words are counted without a pause. */
const chunksPerCount = 10;
/** Share of the similarity of the vectors in a score; the rest is that of the terms. */
const vectorShare = 0.7;

const defaultResults = 10;

/** Milliseconds between two changes of `last_active_at` by searches. */
const activityStep = 60_000;

interface Hit {
  readonly documentId: string;
  readonly text: string;
  readonly score: number;
}

/** Searches a vector store, in steps between which the server handles other requests. */
export async function searchVectorStore(
  services: EmbeddingServices,
  family: Family,
  { row, request, signal }: { row: VectorStoreRow; request: SearchRequest; signal: AbortSignal },
) {
  const { store, clock } = services;
  requireActive(row, clock.now());
  const idle = clock.now() - Number(row.last_active_at);
  // A search works on a full disk as well.
  if (idle >= activityStep && !store.isFull()) await touch(store.db, row.id, clock.now());
  const documents = request.filters ? await documentsWith(services, row.id, request.filters) : null;
  const range = { vectorStoreId: row.id, after: 0, to: Number.MAX_SAFE_INTEGER, documents };
  const isEmpty = documents?.length === 0;
  const hits = isEmpty ? [] : await findHits(services, family, range, request.query, signal);
  const threshold = request.ranking_options?.score_threshold ?? 0;
  const best = hits
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score)
    .slice(0, request.max_num_results ?? defaultResults);
  return {
    object: 'vector_store.search_results.page',
    search_query: request.query,
    data: await describeHits(services, best),
    has_more: false,
    next_page: null,
  };
}

/** Returns the ids of the documents whose attributes match a filter. */
async function documentsWith(
  { store }: Pick<EmbeddingServices, 'store'>,
  id: string,
  filter: AttributeFilter,
): Promise<string[]> {
  const found: string[] = [];
  for (let last = ''; ; ) {
    const rows = await store.db
      .selectFrom('vector_store_files')
      .select(['file_id', 'document_id', 'attributes'])
      .where('vector_store_id', '=', id)
      .where('file_id', '>', last)
      .orderBy('file_id')
      .limit(filesPerQuery)
      .execute();
    for (const { document_id: document, attributes } of rows) {
      if (matchesFilter(filter, JSON.parse(attributes))) found.push(document);
    }
    if (rows.length < filesPerQuery) return found;
    last = rows.at(-1)?.file_id ?? '';
    await nextTurn();
  }
}

async function findHits(
  services: EmbeddingServices,
  family: Family,
  range: ChunkRange,
  queries: readonly string[],
  signal: AbortSignal,
): Promise<Hit[]> {
  const terms = queryTerms(queries);
  const scores = new TextScores(terms);
  const chunks = new Map<number, { documentId: string; text: string }>();
  const add = async (id: number, chunk: { documentId: string; text: string }) => {
    chunks.set(id, chunk);
    scores.add(id, chunk.text);
    if (chunks.size % chunksPerCount === 0) await nextTurn();
  };
  if (terms.length > 0) {
    for await (const part of partsOf(services, range)) {
      requireConnected(signal);
      const found = await findByTerms(services.store.db, part, terms, candidates);
      for (const { id, ...chunk } of found) await add(id, chunk);
    }
  }
  const similar = await findSimilar(services, family, range, queries, signal);
  if (similar === null) return toHits(chunks, (id) => scores.of(id));
  for (const [id, { chunk }] of similar.best) {
    if (!chunks.has(id)) await add(id, chunk);
  }
  // A chunk that only its terms found has a vector as well, unless it was added without a model.
  const cosines = await similar.cosinesOf([...chunks.keys()]);
  return toHits(chunks, (id) => {
    const similarity = cosines.get(id);
    if (similarity === undefined) return scores.of(id);
    return vectorShare * similarity + (1 - vectorShare) * scores.of(id);
  });
}

/** @throws ApiError `REQUEST_TIMEOUT` after the caller disconnected. */
function requireConnected(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new ApiError('REQUEST_TIMEOUT', 'The caller disconnected before the response.');
  }
}

function toHits(
  chunks: ReadonlyMap<number, { documentId: string; text: string }>,
  scoreOf: (id: number) => number,
): Hit[] {
  return [...chunks].map(([id, chunk]) => ({ ...chunk, score: scoreOf(id) }));
}

/** Divides the chunks of a vector store into ranges of bounded size. */
async function* partsOf(
  { store }: Pick<EmbeddingServices, 'store'>,
  range: ChunkRange,
): AsyncGenerator<ChunkRange> {
  for (let { after } = range; ; ) {
    const row = await store.db
      .selectFrom('vector_store_chunks')
      .select('id')
      .where('vector_store_id', '=', range.vectorStoreId)
      .where('id', '>', after)
      .orderBy('id')
      .offset(chunksPerTextQuery - 1)
      .limit(1)
      .executeTakeFirst();
    yield { ...range, after, to: row ? Number(row.id) : range.to };
    if (!row) return;
    after = Number(row.id);
    await nextTurn();
  }
}

interface Similar {
  readonly best: ReadonlyMap<
    number,
    { cosine: number; chunk: { documentId: string; text: string } }
  >;
  cosinesOf(ids: readonly number[]): Promise<Map<number, number>>;
}

/**
 * Finds the chunks whose vectors are most similar to those of the queries.
 *
 * @returns Null without a model, or if none of its providers responds: the search then uses the full
 *   text only.
 */
async function findSimilar(
  services: EmbeddingServices,
  family: Family,
  range: ChunkRange,
  queries: readonly string[],
  signal: AbortSignal,
): Promise<Similar | null> {
  const { db } = services.store;
  const model = embeddingModel(services);
  if (!model) return null;
  let vectors: readonly Float32Array[];
  try {
    vectors = await embedTexts(services, family, { model, texts: queries, signal });
  } catch (error) {
    if (!(error instanceof ApiError) || signal.aborted) throw error;
    services.log.warn('search without embeddings', describeError(error));
    return null;
  }
  const similarity = (bytes: Uint8Array | ArrayBuffer) =>
    Math.min(1, Math.max(0, ...vectors.map((vector) => cosine(vector, bytes))));
  let found: { id: number; cosine: number }[] = [];
  for (let { after } = range; ; ) {
    requireConnected(signal);
    const { rows } = await sql<{ id: number; vector: Uint8Array | ArrayBuffer }>`
      select c.id, c.vector from vector_store_chunks as c
      where c.vector_store_id = ${range.vectorStoreId} and c.id > ${after}
        and c.vector_model = ${model.id} and ${isSearched(db, range)}
      order by c.id limit ${vectorsPerQuery}`.execute(db);
    for (const row of rows) found.push({ id: Number(row.id), cosine: similarity(row.vector) });
    found = found.sort((a, b) => b.cosine - a.cosine).slice(0, candidates);
    if (rows.length < vectorsPerQuery) break;
    after = Number(rows.at(-1)?.id);
    await nextTurn();
  }
  const rowsOf = (ids: readonly number[]) =>
    db
      .selectFrom('vector_store_chunks')
      .select(['id', 'document_id', 'text', 'vector', 'vector_model'])
      .where('id', 'in', ids.length > 0 ? ids : [0])
      .execute();
  const cosineById = new Map(found.map((each) => [each.id, each.cosine]));
  const best = (await rowsOf([...cosineById.keys()])).map((row) => {
    const id = Number(row.id);
    const chunk = { documentId: row.document_id, text: row.text };
    return [id, { cosine: cosineById.get(id) ?? 0, chunk }] as const;
  });
  return {
    best: new Map(best),
    async cosinesOf(ids) {
      const others = ids.filter((id) => !cosineById.has(id));
      for (const row of await rowsOf(others)) {
        if (row.vector === null || row.vector_model !== model.id) continue;
        cosineById.set(Number(row.id), similarity(row.vector));
      }
      return cosineById;
    },
  };
}

async function describeHits({ store }: Pick<EmbeddingServices, 'store'>, hits: readonly Hit[]) {
  if (hits.length === 0) return [];
  const documents = [...new Set(hits.map(({ documentId }) => documentId))];
  const files = await store.db
    .selectFrom('vector_store_files as f')
    .innerJoin('chat_model_files as file', 'file.id', 'f.file_id')
    .select(['f.document_id', 'f.file_id', 'f.attributes', 'file.filename'])
    .where('f.document_id', 'in', documents)
    .execute();
  const byDocument = new Map(files.map((file) => [file.document_id, file]));
  return hits.flatMap(({ documentId, text, score }) => {
    const file = byDocument.get(documentId);
    // The file was removed during the search.
    if (!file) return [];
    return {
      file_id: file.file_id,
      filename: file.filename,
      score: Math.round(score * 10_000) / 10_000,
      attributes: JSON.parse(file.attributes),
      content: [{ type: 'text', text }],
    };
  });
}

/**
 * Whether attributes match a filter. A missing attribute matches only `ne` and `nin`, and values of
 * different types are not equal and not ordered.
 */
function matchesFilter(filter: AttributeFilter, attributes: Attributes): boolean {
  if ('filters' in filter) {
    const matches = (each: AttributeFilter) => matchesFilter(each, attributes);
    return filter.type === 'and' ? filter.filters.every(matches) : filter.filters.some(matches);
  }
  const actual = Object.hasOwn(attributes, filter.key) ? attributes[filter.key] : undefined;
  const { value } = filter;
  if (Array.isArray(value)) {
    const isListed = value.some((each) => each === actual);
    return filter.type === 'in' ? isListed : !isListed;
  }
  if (filter.type === 'eq') return actual === value;
  if (filter.type === 'ne') return actual !== value;
  if (actual === undefined || typeof actual !== typeof value) return false;
  const isBefore = actual < value;
  const isAfter = actual > value;
  if (filter.type === 'lt') return isBefore;
  if (filter.type === 'lte') return !isAfter;
  return filter.type === 'gt' ? isAfter : !isBefore;
}
