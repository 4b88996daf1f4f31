import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The bytes of uploaded files, by id. */
export interface Blobs {
  put(id: string, bytes: Uint8Array): Promise<void>;
  /** Null where they are gone. */
  get(id: string): Promise<Uint8Array | null>;
  /** Also what is half written. Fine where there is nothing. */
  delete(id: string): Promise<void>;
}

/** In `files/` under the data directory, or in the process where that is `memory`. */
export function createBlobs(dataDirectory: string): Blobs {
  if (dataDirectory === 'memory') return createMemoryBlobs();
  const directory = join(dataDirectory, 'files');
  return {
    async put(id, bytes) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Under its name only when it is whole: a process that dies leaves no half file behind.
      const partial = join(directory, `${id}.part`);
      await writeFile(partial, bytes, { mode: 0o600 });
      await rename(partial, join(directory, id));
    },
    async get(id) {
      try {
        return await readFile(join(directory, id));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      }
    },
    async delete(id) {
      await rm(join(directory, `${id}.part`), { force: true });
      await rm(join(directory, id), { force: true });
    },
  };
}

function createMemoryBlobs(): Blobs {
  const blobs = new Map<string, Uint8Array>();
  return {
    async put(id, bytes) {
      blobs.set(id, bytes);
    },
    get: async (id) => blobs.get(id) ?? null,
    delete: async (id) => void blobs.delete(id),
  };
}
