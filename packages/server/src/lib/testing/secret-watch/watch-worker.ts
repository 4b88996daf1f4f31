import type { Store } from '../../store/store.ts';
import { watchAnswer, watchTables } from './secret-watch.ts';

const isWatching = process.env.INLAY_SECRET_WATCH !== undefined;
const stores = new Set<Store>();
const pending = new Set<Promise<unknown>>();

/** Notes what is in a store when its test ends, or when it is closed before. */
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

/** What tests get over a real connection is watched, too, whichever helper asks for it. */
function watchFetch(): void {
  const fetchAnswer = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await fetchAnswer(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (/\bjson\b/.test(type) && response.url.includes('/agent/v1/')) {
      const reading = response
        .clone()
        .text()
        .then((body) => watchAnswer(response.url, response.status, body))
        .catch(() => {})
        .finally(() => pending.delete(reading));
      pending.add(reading);
    }
    return response;
  };
}

/** Notes what is in the stores of tests that are over. */
export async function noteStores(): Promise<void> {
  await Promise.all(pending);
  for (const store of stores) {
    stores.delete(store);
    // One that a test broke on purpose has nothing to read.
    await watchTables(store.db).catch(() => {});
  }
}

if (isWatching) watchFetch();
