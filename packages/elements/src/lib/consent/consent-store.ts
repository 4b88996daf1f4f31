/**
 * What was accepted in this browser. Only a digest of who, with which agent and to what is kept: it
 * tells nothing about the user, and it changes with the text.
 */
const key = 'inlay:consent';

/** Acceptances kept; the oldest go first. */
const most = 50;

/** Where `localStorage` is closed to the page: lasts as long as it. */
let memory: readonly string[] = [];

/** A digest that is not secret, and need not be: FNV-1a, 64 bits. */
export function digestOf(...parts: readonly string[]): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(parts.join('\u0000'))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36);
}

export function hasAccepted(digest: string): boolean {
  return read().includes(digest);
}

export function accept(digest: string): void {
  memory = [...read().filter((each) => each !== digest), digest].slice(-most);
  try {
    localStorage.setItem(key, JSON.stringify(memory));
  } catch {
    // Storage is closed or full: the user is asked again at the next page.
  }
}

/** Takes back what was accepted: the user is forgotten. */
export function withdraw(digest: string): void {
  memory = read().filter((each) => each !== digest);
  try {
    localStorage.setItem(key, JSON.stringify(memory));
  } catch {
    // Nothing was kept, then.
  }
}

function read(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    const strings = Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
    return [...new Set([...memory, ...strings])];
  } catch {
    return memory;
  }
}
