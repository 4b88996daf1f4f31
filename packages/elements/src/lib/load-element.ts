const wanted = new Map<string, Promise<boolean>>();

/**
 * Fetches and registers the class of an element that is wanted now. Resolves with whether it is
 * there: where its file can't be fetched, the next call tries again.
 */
export function loadElement(
  tag: `inlay-${string}`,
  fetchClass: () => Promise<CustomElementConstructor>,
): Promise<boolean> {
  let loading = wanted.get(tag);
  if (!loading) {
    loading = load(tag, fetchClass);
    wanted.set(tag, loading);
  }
  return loading;
}

async function load(
  tag: string,
  fetchClass: () => Promise<CustomElementConstructor>,
): Promise<boolean> {
  if (customElements.get(tag)) return true;
  try {
    const element = await fetchClass();
    if (!customElements.get(tag)) customElements.define(tag, element);
    return true;
  } catch {
    wanted.delete(tag);
    return false;
  }
}

/** Whether an element of this tag wakes at once. Until then a template shows something in its place. */
export function isRegistered(tag: `inlay-${string}`): boolean {
  return customElements.get(tag) !== undefined;
}
