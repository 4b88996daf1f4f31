/** How far beyond the edges of the view an element still counts as near, in pixels. */
const distance = '400px';

const waiting = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Calls `run` once, as soon as `element` is in the view or near it. */
export function whenNear(element: Element, run: () => void): void {
  // `scrollMargin` is the same for what scrolls within the page; engines without it pass over it.
  const options = { rootMargin: distance, scrollMargin: distance };
  observer ??= new IntersectionObserver(take, options);
  waiting.set(element, run);
  observer.observe(element);
}

function take(changes: readonly IntersectionObserverEntry[], self: IntersectionObserver): void {
  for (const { isIntersecting, target } of changes) {
    if (!isIntersecting) continue;
    self.unobserve(target);
    waiting.get(target)?.();
    waiting.delete(target);
  }
}
