import { InlayError } from './errors.ts';

/** Stores text between page loads. It may throw: storage can be blocked, full or partitioned. */
export interface PageStore {
  read(key: string): string | null;
  write(key: string, text: string): void;
  remove(key: string): void;
}

/**
 * A built-in store: `local` for the browser, `session` for the tab, `memory` for the page load.
 */
export type PageStoreKind = 'local' | 'session' | 'memory';

const kinds: readonly unknown[] = ['local', 'session', 'memory'] satisfies PageStoreKind[];

/**
 * Returns a store that ignores failures, as in private windows and frames without storage.
 *
 * @param option Name of the option, for the message.
 * @throws {InlayError} `INVALID_OPTION` if `store` is not a store.
 */
export function quietStore(store: PageStoreKind | PageStore, option: string): PageStore {
  const isStore =
    kinds.includes(store) ||
    (['read', 'write', 'remove'] as const).every(
      (verb) => typeof (store as Partial<PageStore> | null)?.[verb] === 'function',
    );
  if (!isStore) {
    throw new InlayError(
      'INVALID_OPTION',
      `${option} must be "local", "session" or "memory", or an object with read, write and remove.`,
    );
  }
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

// Resolved at each use, because reading the property may throw.
function webStorage(kind: PageStoreKind): PageStore {
  const storage = kind === 'memory' ? null : globalThis[`${kind}Storage`];
  return {
    read: (key) => storage?.getItem(key) ?? null,
    write: (key, text) => storage?.setItem(key, text),
    remove: (key) => storage?.removeItem(key),
  };
}
