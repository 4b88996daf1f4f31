import type { Kysely } from 'kysely';
import type { Blobs } from './blobs.ts';
import { inPieces } from './in-pieces.ts';
import type { Schema } from './schema.ts';

/**
 * Bytes per piece. The driver also keeps each piece as hexadecimal text, so a transfer takes
 * several times as much memory.
 */
const pieceSize = 256 * 1024;

/**
 * Stores blobs as pieces in the database, so that all processes and backups have them. An embedded store
 * has pieces if it was restored from a backup.
 */
export function createDatabaseBlobs(db: Kysely<Schema>): Blobs {
  return {
    async put(id, bytes) {
      let piece = 0;
      for await (const part of inPieces(bytes, pieceSize)) {
        await db.insertInto('blob_pieces').values({ file_id: id, piece, bytes: part }).execute();
        piece += 1;
      }
    },
    async get(id, maximumBytes = Number.POSITIVE_INFINITY) {
      const rows = await db
        .selectFrom('blob_pieces')
        .select('bytes')
        .where('file_id', '=', id)
        .$if(Number.isFinite(maximumBytes), (query) =>
          query.where('piece', '<', Math.ceil(maximumBytes / pieceSize)),
        )
        .orderBy('piece')
        .execute();
      if (rows.length === 0) return null;
      return Buffer.concat(rows.map(({ bytes }) => toBytes(bytes))).subarray(0, maximumBytes);
    },
    async read(id) {
      const first = await readPiece(id, 0);
      return first ? piecesOf(id, first) : null;
    },
    async delete(id) {
      await db.deleteFrom('blob_pieces').where('file_id', '=', id).execute();
    },
    freeBytes: async () => null,
  };

  /** One query per piece, so that a slow client does not occupy a connection. */
  async function* piecesOf(id: string, first: Uint8Array): AsyncGenerator<Uint8Array> {
    let bytes: Uint8Array | undefined = first;
    for (let piece = 1; bytes; piece += 1) {
      yield bytes;
      // A piece that is not full is the last one.
      bytes = bytes.byteLength < pieceSize ? undefined : await readPiece(id, piece);
    }
  }

  async function readPiece(id: string, piece: number): Promise<Uint8Array | undefined> {
    const row = await db
      .selectFrom('blob_pieces')
      .select('bytes')
      .where('file_id', '=', id)
      .where('piece', '=', piece)
      .executeTakeFirst();
    return row && toBytes(row.bytes);
  }
}

/** Converts a value of a `bytea` column: SQLite returns an `ArrayBuffer`. */
function toBytes(bytes: Uint8Array | ArrayBuffer): Uint8Array {
  return bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
}
