/** Keeps a visitor's secret between page loads. May throw: storage is often forbidden. */
export interface VisitorStore {
  read(key: string): string | null;
  write(key: string, secret: string): void;
  remove(key: string): void;
}

/** Which storage of the page to use; `memory` keeps a visitor until the page is left. */
export type VisitorStoreKind = 'local' | 'session' | 'memory';

/** Keeps nothing beyond the page. */
export function memoryVisitorStore(): VisitorStore {
  const secrets = new Map<string, string>();
  return {
    read: (key) => secrets.get(key) ?? null,
    write: (key, secret) => void secrets.set(key, secret),
    remove: (key) => void secrets.delete(key),
  };
}

/**
 * Web storage, and memory for what it does not take: a private window, a full or a partitioned
 * storage, a frame without one. The person is then a new visitor after the next page load.
 */
export function webVisitorStore(kind: 'local' | 'session'): VisitorStore {
  const memory = memoryVisitorStore();
  // Read anew each time, because the very access to the property may throw.
  const storage = () => (kind === 'local' ? globalThis.localStorage : globalThis.sessionStorage);
  const attempt = <Result>(action: () => Result): Result | null => {
    try {
      return action();
    } catch {
      return null;
    }
  };
  return {
    read: (key) => memory.read(key) ?? attempt(() => storage().getItem(key)),
    write(key, secret) {
      // Memory as well: a storage may take a value and be wiped a moment later.
      memory.write(key, secret);
      attempt(() => storage().setItem(key, secret));
    },
    remove(key) {
      memory.remove(key);
      attempt(() => storage().removeItem(key));
    },
  };
}

export function visitorStore(store: VisitorStoreKind | VisitorStore): VisitorStore {
  if (typeof store !== 'string') return store;
  return store === 'memory' ? memoryVisitorStore() : webVisitorStore(store);
}
