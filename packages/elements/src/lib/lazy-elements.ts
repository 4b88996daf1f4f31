import { type Lazy, lazy } from './lazy.ts';
import { extras } from './markdown/extras.ts';
import { isForeign, register, type TagTable } from './register.ts';

/** Tag of a lazy-loaded element, or the module that implements rare Markdown syntax. */
export type LazyTag = keyof HTMLElementTagNameMap | 'markdown-extras';

/**
 * Loads the element of a tag, or all elements of a chunk. The module `markdown-extras` has none, and
 * installs itself.
 */
export type LoadElements = () => Promise<CustomElementConstructor | TagTable>;

const chunks = new Map<LazyTag, Lazy<void>>();
const failedTags = new Set<LazyTag>();
const listeners = new Set<() => void>();

/**
 * Sets how elements are loaded. A template renders the tag without waiting for its chunk. When the chunk
 * has loaded, the element is upgraded, with the properties set so far.
 */
export function provideElements(loads: Partial<Record<LazyTag, LoadElements>>): void {
  for (const [tag, load] of Object.entries(loads)) {
    if (!chunks.has(tag as LazyTag))
      chunks.set(
        tag as LazyTag,
        lazy(async () => {
          const loaded = await load();
          register(typeof loaded === 'function' ? { [tag]: loaded } : loaded);
        }),
      );
  }
}

/** Whether an element is registered, or the module `markdown-extras` installed. */
export function isRegistered(tag: LazyTag): boolean {
  if (tag === 'markdown-extras') return extras() !== undefined;
  return customElements.get(tag) !== undefined && !isForeign(tag);
}

/**
 * Loads an element for a template. Does nothing if loading it has failed before: templates call this for
 * each render, and the user decides when to retry (`retryFailedElements`).
 */
export function requestElement(tag: LazyTag): void {
  void waitForElement(tag);
}

/** Like `requestElement`. Resolves to whether the element is registered. */
export function waitForElement(tag: LazyTag): Promise<boolean> {
  return failedTags.has(tag) ? Promise.resolve(false) : loadElement(tag);
}

/** Loads and registers an element, also after a failure. Resolves to whether it is registered. */
export async function loadElement(tag: LazyTag): Promise<boolean> {
  if (isRegistered(tag)) return true;
  await chunks.get(tag)?.load();
  if (isRegistered(tag)) failedTags.delete(tag);
  else failedTags.add(tag);
  for (const notify of listeners) notify();
  return isRegistered(tag);
}

/** Whether the chunk of any element could not be loaded. */
export function someElementFailed(): boolean {
  return failedTags.size > 0;
}

/** Retries all chunks that could not be loaded. */
export function retryFailedElements(): void {
  for (const tag of failedTags) void loadElement(tag);
}

/** Calls a listener whenever an element was loaded or failed to load. Returns the unsubscribe function. */
export function onElementLoad(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
