import { createLogger } from '../log/logger.ts';
import { createPostgresStore } from '../store/postgres-store.ts';
import { createSqliteStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { startPostgres } from './services/postgres.ts';

const log = createLogger(Date.now, () => {});

/** Two stores with the same data, as in two processes. On SQLite, both are the same store. */
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
