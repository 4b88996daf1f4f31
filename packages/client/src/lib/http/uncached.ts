import { browserUniqueId } from '../ports.ts';

/**
 * Makes the address of a GET request unique if a service worker of the page may answer the request from a
 * cache. Service workers find responses by the address, and need not respect `cache: 'no-store'`. The
 * platform ignores the parameter.
 */
export function uncached(url: string, method = 'GET'): string {
  if (method !== 'GET' || !hasServiceWorker()) return url;
  return `${url}${url.includes('?') ? '&' : '?'}_=${browserUniqueId()}`;
}

/** Whether a service worker of the page may answer requests. */
export function hasServiceWorker(): boolean {
  try {
    return Boolean(globalThis.navigator?.serviceWorker?.controller);
  } catch {
    // Access throws in a sandboxed frame, which has no service worker.
    return false;
  }
}
