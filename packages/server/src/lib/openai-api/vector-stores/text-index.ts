import { type Kysely, SqliteAdapter, sql, type Transaction } from 'kysely';
import { termsOf } from '../../events/search-terms.ts';
import { inList } from '../../store/in-list.ts';
import type { Schema } from '../../store/schema.ts';

/** A chunk to be stored. */
interface NewChunk {
  readonly vectorStoreId: string;
  readonly documentId: string;
  readonly part: number;
  readonly overlap: number;
  readonly text: string;
  readonly vector: Uint8Array | null;
  readonly vectorModel: string | null;
}

/** Chunks of a vector store, by id, whose documents are completed. */
export interface ChunkRange {
  readonly vectorStoreId: string;
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly to: number;
  /** Documents to search, or null for all. */
  readonly documents: readonly string[] | null;
}

interface FoundChunk {
  readonly id: number;
  readonly documentId: string;
  readonly text: string;
}

const isSqlite = (db: Kysely<Schema>) => db.getExecutor().adapter instanceof SqliteAdapter;

/**
 * Returns a term that all chunks of a vector store have, so that the index finds the chunks of the
 * store without reading those of others.
 */
const storeTerm = (id: string) => Buffer.from(id).toString('hex');

/** Inserts chunks with the terms of their texts. */
export async function insertChunks(
  db: Transaction<Schema>,
  chunks: readonly NewChunk[],
): Promise<void> {
  for (const chunk of chunks) {
    const terms = [storeTerm(chunk.vectorStoreId), ...termsOf(chunk.text)];
    const { id } = await db
      .insertInto('vector_store_chunks')
      .values({
        vector_store_id: chunk.vectorStoreId,
        document_id: chunk.documentId,
        part: chunk.part,
        overlap: chunk.overlap,
        text: chunk.text,
        vector: chunk.vector,
        vector_model: chunk.vectorModel,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (isSqlite(db)) {
      await sql`insert into vector_store_terms (rowid, terms)
        values (${Number(id)}, ${terms.join(' ')})`.execute(db);
    } else {
      // Without PostgreSQL's parser, which splits words differently in each locale.
      await sql`
        update vector_store_chunks
        set terms = array_to_tsvector(array(select jsonb_array_elements_text(${JSON.stringify([...new Set(terms)])}::jsonb)))
        where id = ${id}`.execute(db);
    }
  }
}

/**
 * Finds chunks with at least one of the terms, those with the most and rarest terms first.
 *
 * @param terms Terms of `queryTerms`; at least one.
 */
export async function findByTerms(
  db: Kysely<Schema>,
  range: ChunkRange,
  terms: readonly string[],
  limit: number,
): Promise<FoundChunk[]> {
  const store = storeTerm(range.vectorStoreId);
  const { rows } = isSqlite(db)
    ? await sql<FoundRow>`
        select c.id, c.document_id, c.text
        from vector_store_terms as t join vector_store_chunks as c on c.id = t.rowid
        where vector_store_terms match ${`"${store}" AND (${terms.map((term) => `"${term}"`).join(' OR ')})`}
          and t.rowid > ${range.after} and t.rowid <= ${range.to} and ${isSearched(db, range)}
        order by t.rank limit ${limit}`.execute(db)
    : await sql<FoundRow>`
        select c.id, c.document_id, c.text
        from vector_store_chunks as c,
          cast(${`'${store}' & (${terms.map((term) => `'${term}'`).join(' | ')})`} as tsquery) as q
        where c.terms @@ q and c.vector_store_id = ${range.vectorStoreId}
          and c.id > ${range.after} and c.id <= ${range.to} and ${isSearched(db, range)}
        order by ts_rank(c.terms, q) desc, c.id limit ${limit}`.execute(db);
  return rows.map(({ id, document_id: documentId, text }) => ({
    id: Number(id),
    documentId,
    text,
  }));
}

interface FoundRow {
  id: number;
  document_id: string;
  text: string;
}

/** Returns the condition for chunks `c` whose documents are completed and among `documents`. */
export function isSearched(db: Kysely<Schema>, { vectorStoreId, documents }: ChunkRange) {
  return sql`exists (
    select 1 from vector_store_files as f
    where f.document_id = c.document_id and f.status = 'completed'
      and f.vector_store_id = ${vectorStoreId}
  ) ${documents ? sql`and c.document_id in ${inList(db, documents)}` : sql``}`;
}
