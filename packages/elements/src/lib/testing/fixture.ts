import { expect } from 'chai';

const mounted: Element[] = [];

/** Puts an element into the page until the test ends. */
export function mount<T extends Element>(element: T): T {
  document.body.append(element);
  mounted.push(element);
  return element;
}

afterEach(() => {
  for (const element of mounted.splice(0)) element.remove();
});

/** Resolves once the browser has run its next frame, and with it whatever waited for one. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
  });
}

export { expect };
