/** Keeps text between page loads. It may throw: storage is often forbidden, full or partitioned. */
export interface PageStore {
  read(key: string): string | null;
  write(key: string, text: string): void;
  remove(key: string): void;
}

/**
 * Which storage of the page to use: `local` keeps it in this browser, `session` in this tab, and
 * `memory` until the page is left.
 */
export type PageStoreKind = 'local' | 'session' | 'memory';

/** A store that takes nothing, rather than throw: a private window, a frame without storage. */
export function quietStore(store: PageStoreKind | PageStore): PageStore {
  const quietly = <Value>(use: (storage: PageStore) => Value): Value | null => {
    try {
      return use(typeof store === 'string' ? webStorage(store) : store);
    } catch {
      return null;
    }
  };
  return {
    read: (key) => quietly((storage) => storage.read(key)),
    write: (key, text) => quietly((storage) => storage.write(key, text)),
    remove: (key) => quietly((storage) => storage.remove(key)),
  };
}

// Got anew for each use, because the very access to the property may throw.
function webStorage(kind: PageStoreKind): PageStore {
  const storage = kind === 'memory' ? null : globalThis[`${kind}Storage`];
  return {
    read: (key) => storage?.getItem(key) ?? null,
    write: (key, text) => storage?.setItem(key, text),
    remove: (key) => storage?.removeItem(key),
  };
}
