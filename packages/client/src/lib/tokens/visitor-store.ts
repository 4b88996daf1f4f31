/** Keeps a visitor's secret between page loads. May throw: storage is often forbidden. */
export interface VisitorStore {
  read(key: string): string | null;
  write(key: string, secret: string): void;
  remove(key: string): void;
}

/** Which storage of the page to use; `memory` keeps a visitor until the page is left. */
export type VisitorStoreKind = 'local' | 'session' | 'memory';

/**
 * Web storage, and memory for what it does not take: a private window, a full or a partitioned
 * storage, a frame without one. The person is then a new visitor after the next page load.
 */
export function visitorStore(store: VisitorStoreKind | VisitorStore): Omit<VisitorStore, 'remove'> {
  if (typeof store !== 'string') return store;
  const memory = new Map<string, string>();
  // Read anew each time, because the very access to the property may throw.
  const storage = () => (store === 'memory' ? null : globalThis[`${store}Storage`]);
  return {
    read: (key) => memory.get(key) ?? storage()?.getItem(key) ?? null,
    write(key, secret) {
      // Memory first: a storage may take a value and be wiped a moment later.
      memory.set(key, secret);
      storage()?.setItem(key, secret);
    },
  };
}
