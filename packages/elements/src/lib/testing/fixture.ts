import { expect } from 'chai';

const mountedElements: Element[] = [];

/** Adds an element to the page until the test ends. */
export function mount<T extends Element>(element: T): T {
  document.body.append(element);
  mountedElements.push(element);
  return element;
}

afterEach(() => {
  for (const element of mountedElements.splice(0)) element.remove();
});

/** Resolves in the next animation frame. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
  });
}

export { expect };
