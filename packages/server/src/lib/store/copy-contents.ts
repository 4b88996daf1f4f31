import { type Kysely, sql } from 'kysely';
import type { Blobs } from './blobs.ts';
import { createDatabaseBlobs } from './database-blobs.ts';
import type { Schema } from './schema.ts';

export interface CopiedContents {
  /** Number of files whose contents are in the database. */
  readonly files: number;
  /** Number of files without a content. */
  readonly missing: number;
}

/** Copies the contents of all complete files of a database into it, unless they are there. */
export async function copyContents(db: Kysely<Schema>, from: Blobs): Promise<CopiedContents> {
  const to = createDatabaseBlobs(db);
  const { rows } = await sql<{ id: string; is_stored: number | boolean }>`
    select id, exists (select 1 from blob_pieces where file_id = id) as is_stored
    from (
      select id from files where is_complete = 1
      union all select id from chat_model_files where is_complete = 1
    ) as files`.execute(db);
  let missing = 0;
  for (const { id, is_stored: isStored } of rows) {
    if (!isStored && !(await copyContent(id, from, to))) missing += 1;
  }
  return { files: rows.length - missing, missing };
}

/** Copies the content of a file. Returns false if there is none, for example because it was deleted. */
async function copyContent(id: string, from: Blobs, to: Blobs): Promise<boolean> {
  try {
    const pieces = await from.read(id);
    if (pieces) await to.put(id, pieces);
    return pieces !== null;
  } catch (error) {
    // The file is opened when its first piece is read.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
