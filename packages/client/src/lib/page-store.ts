import { InlayError } from './errors.ts';

/** Stores text between page loads. Its methods may throw: storage can be blocked or full. */
export interface PageStore {
  read(key: string): string | null;
  write(key: string, text: string): void;
  remove(key: string): void;
}

/**
 * A built-in store: `local` lasts in the browser, `session` in the tab, `memory` for the page load.
 */
export type PageStoreKind = 'local' | 'session' | 'memory';

const storeKinds: readonly unknown[] = ['local', 'session', 'memory'] satisfies PageStoreKind[];

/**
 * Returns a store that ignores errors, as in private windows and frames without storage.
 *
 * @param option Name of the option, for the error message.
 * @throws {InlayError} `INVALID_OPTION` if `store` is not a store.
 */
export function safeStore(store: PageStoreKind | PageStore, option: string): PageStore {
  const isStore =
    storeKinds.includes(store) ||
    (['read', 'write', 'remove'] as const).every(
      (method) => typeof (store as Partial<PageStore> | null)?.[method] === 'function',
    );
  if (!isStore) {
    throw new InlayError(
      'INVALID_OPTION',
      `${option} must be "local", "session" or "memory", or an object with read, write and remove.`,
    );
  }
  const ignoreErrors = <Value>(access: (storage: PageStore) => Value): Value | null => {
    try {
      return access(typeof store === 'string' ? webStorage(store) : store);
    } catch {
      // The storage is blocked or full.
      return null;
    }
  };
  return {
    read: (key) => ignoreErrors((storage) => storage.read(key)),
    write: (key, text) => ignoreErrors((storage) => storage.write(key, text)),
    remove: (key) => ignoreErrors((storage) => storage.remove(key)),
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

/** The key of a visitor's secret in a store. One browser can be a visitor of several platforms and sites. */
export function visitorKey(baseUrl: string, publishableKey: string): string {
  return `inlay:visitor:${baseUrl}:${publishableKey}`;
}
