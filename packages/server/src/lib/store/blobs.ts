import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file's content in pieces. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The contents of uploaded files, by id. */
export interface Blobs {
  /** Stores the pieces as they arrive. Rejects if `bytes` throws; a partial file may remain. */
  put(id: string, bytes: Pieces): Promise<void>;
  /**
   * Reads the content, or its first `maximumBytes`, at least 1; null if it does not exist.
   *
   * @default `maximumBytes` Infinity
   */
  get(id: string, maximumBytes?: number): Promise<Uint8Array | null>;
  /** Reads the content in pieces, so that a slow client keeps only one piece in memory. */
  read(id: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Deletes the content, complete or partial. Does nothing if there is none. */
  delete(id: string): Promise<void>;
  /** Free bytes of the disk; null if they are unknown, for example in a database. */
  freeBytes(): Promise<number | null>;
}

/**
 * The storage of blobs does not respond, or refuses a request. The message is for the log: it names what
 * the operator can do.
 */
export class BlobsUnavailableError extends Error {
  override readonly name = 'BlobsUnavailableError';
}

/** Stores blobs in `current`, and still reads and deletes those that were stored in `former`. */
export function createMovedBlobs(current: Blobs, former: Blobs): Blobs {
  return {
    put: current.put,
    get: async (...parameters) =>
      (await current.get(...parameters)) ?? (await former.get(...parameters)),
    read: async (id) => (await current.read(id)) ?? (await former.read(id)),
    async delete(id) {
      await current.delete(id);
      await former.delete(id);
    },
    freeBytes: current.freeBytes,
  };
}

/** Stores each blob as a file. The directory is created with the first one. */
export function createDirectoryBlobs(directory: string): Blobs {
  return {
    async put(id, bytes) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Renamed when complete, so that a crash leaves no partial file under its final name.
      const partial = join(directory, `${id}.part`);
      await pipeline(Readable.from(bytes), createWriteStream(partial, { mode: 0o600 }));
      await rename(partial, join(directory, id));
    },
    get(id, maximumBytes) {
      const path = join(directory, id);
      const content = maximumBytes === undefined ? readFile(path) : readHead(path, maximumBytes);
      return content.catch(nullIfMissing);
    },
    async read(id) {
      const path = join(directory, id);
      const stats = await stat(path).catch(nullIfMissing);
      return stats && piecesOf(path);
    },
    async delete(id) {
      await rm(join(directory, `${id}.part`), { force: true });
      await rm(join(directory, id), { force: true });
    },
    async freeBytes() {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(directory);
      return bavail * bsize;
    },
  };
}

async function readHead(path: string, maximumBytes: number): Promise<Uint8Array> {
  return Buffer.concat(await createReadStream(path, { end: maximumBytes - 1 }).toArray());
}

/** Opens the file when the first piece is read, so that an unread stream keeps no file open. */
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** Keeps blobs in memory. */
export function createMemoryBlobs(): Blobs {
  const blobs = new Map<string, Uint8Array>();
  return {
    async put(id, bytes) {
      const pieces: Uint8Array[] = [];
      for await (const piece of bytes) pieces.push(piece);
      blobs.set(id, Buffer.concat(pieces));
    },
    get: async (id, maximumBytes) => blobs.get(id)?.subarray(0, maximumBytes) ?? null,
    async read(id) {
      const bytes = blobs.get(id);
      return bytes
        ? (async function* () {
            yield bytes;
          })()
        : null;
    },
    delete: async (id) => void blobs.delete(id),
    freeBytes: async () => null,
  };
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
