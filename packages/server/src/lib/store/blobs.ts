import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes, piece by piece. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The bytes of uploaded files, by id. */
export interface Blobs {
  /** Takes the bytes as they come, and rejects with what `bytes` throws. A half file may be left. */
  put(id: string, bytes: Pieces): Promise<void>;
  /** Null where they are gone. */
  get(id: string): Promise<Uint8Array | null>;
  /** The same, piece by piece, so that a slow reader holds no more than one in memory. */
  read(id: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Also what is half written. Fine where there is nothing. */
  delete(id: string): Promise<void>;
}

/** Files in a directory, which is made with the first of them. */
export function createDirectoryBlobs(directory: string): Blobs {
  return {
    async put(id, bytes) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Under its name only when it is whole: a process that dies leaves no half file behind.
      const partial = join(directory, `${id}.part`);
      await pipeline(Readable.from(bytes), createWriteStream(partial, { mode: 0o600 }));
      await rename(partial, join(directory, id));
    },
    get: (id) => readFile(join(directory, id)).catch(nullWhereGone),
    async read(id) {
      const path = join(directory, id);
      const found = await stat(path).catch(nullWhereGone);
      return found && piecesOf(path);
    },
    async delete(id) {
      await rm(join(directory, `${id}.part`), { force: true });
      await rm(join(directory, id), { force: true });
    },
  };
}

/** Opened when the first piece is asked for: what nobody reads holds nothing open. */
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** In the process, and gone with it. */
export function createMemoryBlobs(): Blobs {
  const blobs = new Map<string, Uint8Array>();
  return {
    async put(id, bytes) {
      const pieces: Uint8Array[] = [];
      for await (const piece of bytes) pieces.push(piece);
      blobs.set(id, Buffer.concat(pieces));
    },
    get: async (id) => blobs.get(id) ?? null,
    async read(id) {
      const bytes = blobs.get(id);
      return bytes
        ? (async function* () {
            yield bytes;
          })()
        : null;
    },
    delete: async (id) => void blobs.delete(id),
  };
}

function nullWhereGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
