import { systemClock } from '../clock.ts';
import { createLogger } from '../log/logger.ts';
import { createPostgresStore } from '../store/postgres-store.ts';
import { openS3Blobs } from '../store/s3-blobs.ts';
import { createSqliteStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { startPostgres } from './services/postgres.ts';
import { optionsOf, startS3 } from './services/s3.ts';

const log = createLogger(Date.now, () => {});

/** Two stores with the same data, as in two processes. On SQLite, both are the same store; for S3, it is SQLite with
 * the files in an object storage. */
export interface Stores {
  pair: readonly [Store, Store];
  end(): Promise<void>;
}

/** Functions that open two stores, by database engine. */
export const storeEngines: Record<string, () => Promise<Stores>> = {
  async SQLite() {
    const store = await createSqliteStore({ data: 'memory' });
    return { pair: [store, store], end: () => store.close() };
  },
  async S3() {
    const [store, s3] = [await createSqliteStore({ data: 'memory' }), await startS3()];
    const blobs = await openS3Blobs({ ...optionsOf(s3), clock: systemClock });
    const stored = { ...store, blobs };
    return {
      pair: [stored, stored],
      async end() {
        await store.close();
        await s3.stop();
      },
    };
  },
  async PostgreSQL() {
    const postgres = await startPostgres();
    const open = () => createPostgresStore({ url: postgres.url, log });
    const pair = [await open(), await open()] as const;
    return {
      pair,
      async end() {
        for (const store of pair) await store.close();
        await postgres.stop();
      },
    };
  },
};
