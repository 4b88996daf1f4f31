import { toJson } from '@inlay/protocol/to-json';

/** A list of different texts that this browser remembers. */
export interface BrowserList {
  items(): readonly string[];
  add(item: string): void;
  remove(item: string): void;
}

/**
 * Consents given in this browser. Only a digest of agent, user and text is stored, which reveals
 * nothing about the user and changes with the text.
 */
export const accepted = browserList('inlay:consent');

/**
 * Consents that the platform has not recorded: `ownerOf` the user, the hash of the text, and the language,
 * with a space in between.
 */
export const unsent = browserList('inlay:consent-unsent');

/** Maximum number of items of a list. The oldest are removed. */
const maxStored = 50;

/** 64-bit FNV-1a digest. It does not have to be cryptographic. */
export function digestOf(...parts: readonly string[]): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(parts.join('\u0000'))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36);
}

function browserList(key: string): BrowserList {
  /** Replaces `localStorage` if it is not available, until the page is closed. */
  let memory: readonly string[] = [];
  const items = () => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
      const texts = Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
      return [...new Set([...memory, ...texts])];
    } catch {
      return memory;
    }
  };
  const store = (item: string, added: readonly string[]) => {
    memory = [...items().filter((each) => each !== item), ...added].slice(-maxStored);
    try {
      localStorage.setItem(key, toJson(memory) ?? '');
    } catch {
      // Storage is not available or full: the user is asked again on the next page.
    }
  };
  return { items, add: (item) => store(item, [item]), remove: (item) => store(item, []) };
}
