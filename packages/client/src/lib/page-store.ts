import { InlayError } from './errors.ts';

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

const kinds: readonly unknown[] = ['local', 'session', 'memory'] satisfies PageStoreKind[];

/**
 * A store that takes nothing, rather than throw: a private window, a frame without storage. Throws
 * `INVALID_OPTION` for what is no store, by the name of the option.
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

// Got anew for each use, because the very access to the property may throw.
function webStorage(kind: PageStoreKind): PageStore {
  const storage = kind === 'memory' ? null : globalThis[`${kind}Storage`];
  return {
    read: (key) => storage?.getItem(key) ?? null,
    write: (key, text) => storage?.setItem(key, text),
    remove: (key) => storage?.removeItem(key),
  };
}
