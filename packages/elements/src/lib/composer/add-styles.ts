import type { CSSResult, LitElement } from 'lit';

/** Adds the styles of a lazy-loaded module to an element, once. */
export function addStyles({ renderRoot }: LitElement, { styleSheet }: CSSResult): void {
  const root = renderRoot as ShadowRoot;
  if (!styleSheet || root.adoptedStyleSheets.includes(styleSheet)) return;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet];
}
