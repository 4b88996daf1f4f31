/** Maximum distance of an element from the viewport. */
const maxDistance = '400px';

const callbacks = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Calls `callback` once, as soon as `element` is in or near the viewport. */
export function whenNearViewport(element: Element, callback: () => void): void {
  // `scrollMargin` applies to scroll containers in the page. Engines without it ignore it.
  const options = { rootMargin: maxDistance, scrollMargin: maxDistance };
  observer ??= new IntersectionObserver(handleIntersections, options);
  callbacks.set(element, callback);
  observer.observe(element);
}

function handleIntersections(
  entries: readonly IntersectionObserverEntry[],
  self: IntersectionObserver,
): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    self.unobserve(target);
    callbacks.get(target)?.();
    callbacks.delete(target);
  }
}
