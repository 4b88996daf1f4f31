import type { Store } from '../../store/store.ts';
import { watchResponse, watchTables } from './secret-watch.ts';

const isWatching = process.env.INLAY_SECRET_WATCH !== undefined;
const stores = new Set<Store>();
const pending = new Set<Promise<unknown>>();

/** Records the content of a store when its test ends, or when the store is closed before. */
export function watchStore(store: Store): Store {
  if (!isWatching) return store;
  stores.add(store);
  return {
    ...store,
    async close() {
      if (stores.delete(store)) await watchTables(store.db).catch(() => {});
      await store.close();
    },
  };
}

/** Records responses that tests receive over real connections, by wrapping `fetch`. */
function watchFetch(): void {
  const originalFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await originalFetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (/\bjson\b/.test(type) && response.url.includes('/agent/v1/')) {
      const reading = response
        .clone()
        .text()
        .then((body) => watchResponse(response.url, response.status, body))
        .catch(() => {})
        .finally(() => pending.delete(reading));
      pending.add(reading);
    }
    return response;
  };
}

/** Records the content of the stores of finished tests. */
export async function recordStores(): Promise<void> {
  await Promise.all(pending);
  for (const store of stores) {
    stores.delete(store);
    // A store that a test broke on purpose cannot be read.
    await watchTables(store.db).catch(() => {});
  }
}

if (isWatching) watchFetch();
