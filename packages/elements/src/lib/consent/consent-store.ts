import { toJson } from '@inlay/protocol/to-json';

/**
 * Consents given in this browser. Only a digest of agent, user and text is stored, which reveals
 * nothing about the user and changes with the text.
 */
const storageKey = 'inlay:consent';

/** Maximum number of stored consents. The oldest are removed. */
const maxStored = 50;

/** Replaces `localStorage` if it is not available, until the page is closed. */
let memoryStore: readonly string[] = [];

/** 64-bit FNV-1a digest. It does not have to be cryptographic. */
export function digestOf(...parts: readonly string[]): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(parts.join('\u0000'))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36);
}

export function hasAccepted(digest: string): boolean {
  return readConsents().includes(digest);
}

export function accept(digest: string): void {
  memoryStore = [...readConsents().filter((each) => each !== digest), digest].slice(-maxStored);
  try {
    localStorage.setItem(storageKey, toJson(memoryStore) ?? '');
  } catch {
    // Storage is not available or full: the user is asked again on the next page.
  }
}

/** Removes a consent, because the user's data was erased. */
export function withdraw(digest: string): void {
  memoryStore = readConsents().filter((each) => each !== digest);
  try {
    localStorage.setItem(storageKey, toJson(memoryStore) ?? '');
  } catch {
    // Storage is not available, so nothing was stored.
  }
}

function readConsents(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    const strings = Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
    return [...new Set([...memoryStore, ...strings])];
  } catch {
    return memoryStore;
  }
}
