import { InlayError } from '@inlay/client';

interface Registry {
  readonly origins: Set<string>;
  /** Called when an origin was added. */
  readonly listeners: Set<() => void>;
}

/** Shared by all copies of the package on a page, because only one of them defines the elements. */
const key = Symbol.for('inlay.allowed-origins');

const page = globalThis as { [key]?: Registry };
page[key] ??= { origins: new Set(), listeners: new Set() };
const registry = page[key];

/** Whether properties are set at the moment to values that come from attributes. */
let readsAttributes = false;

/**
 * Lets attributes name other origins in `base-url` and `token-url`. Without it, an address in an
 * attribute has to be of the origin of the page or of the script that defines the elements, because
 * injected HTML can contain the elements, and would send the user's token anywhere. An address that a
 * script sets as a property (`chat.baseUrl = …`) is allowed with it.
 *
 * @param addresses - URLs or origins, such as `https://chat.example`.
 * @throws InlayError `INVALID_OPTION` for an address that is not an absolute `http` or `https` URL.
 * @example
 * import '@inlay/elements/define';
 * import { allowOrigins } from '@inlay/elements';
 *
 * allowOrigins('https://chat.example');
 */
export function allowOrigins(...addresses: string[]): void {
  const origins = addresses.map((address) => {
    const origin = originOf(address);
    if (origin !== null) return origin;
    throw new InlayError(
      'INVALID_OPTION',
      `allowOrigins: it takes addresses such as "https://chat.example", and not ${JSON.stringify(address)}.`,
    );
  });
  add(origins);
}

/** Allows the origin of an option that was set now, unless its value comes from an attribute. */
export function allowIfSetByScript(address: string | null | undefined): void {
  const origin = readsAttributes || !address ? null : originOf(address, globalThis.origin);
  if (origin !== null) add([origin]);
}

/** Runs a function that sets properties to values of attributes, which does not allow their origins. */
export function withoutAllowing(run: () => void): void {
  const before = readsAttributes;
  readsAttributes = true;
  try {
    run();
  } finally {
    readsAttributes = before;
  }
}

/**
 * Whether credentials may be sent to an address. Relative URLs and invalid addresses are allowed: the
 * client resolves the former against the page, and rejects the latter.
 */
export function isAllowed(address: string): boolean {
  const origin = originOf(address, globalThis.origin);
  return (
    origin === null ||
    origin === globalThis.origin ||
    origin === originOf(import.meta.url) ||
    registry.origins.has(origin)
  );
}

/** Calls a listener whenever an origin was allowed. Returns an unsubscribe function. */
export function onAllowed(listener: () => void): () => void {
  registry.listeners.add(listener);
  return () => registry.listeners.delete(listener);
}

function add(origins: readonly string[]): void {
  const isNew = origins.some((origin) => !registry.origins.has(origin));
  for (const origin of origins) registry.origins.add(origin);
  if (isNew) for (const listener of [...registry.listeners]) listener();
}

/** Returns the origin of a web address; null for any other text, such as a bundler's `file:` URL. */
function originOf(address: string, base?: string): string | null {
  try {
    const { protocol, origin } = new URL(address, base === 'null' ? undefined : base);
    return /^https?:$/.test(protocol) ? origin : null;
  } catch {
    return null;
  }
}
