import type { LitElement } from 'lit';
import { expect } from './fixture.ts';

/** Applies an element's rules for a media query, because not every engine can emulate user preferences. */
export function applyMedia({ renderRoot }: LitElement, condition: string) {
  if (!(renderRoot instanceof ShadowRoot)) throw new Error('There is no shadow root.');
  const rules = renderRoot.adoptedStyleSheets
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule && rule.conditionText.includes(condition))
    .flatMap((rule) => [...(rule as CSSMediaRule).cssRules]);
  expect(rules).to.not.deep.equal([]);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.map(({ cssText }) => cssText).join('\n'));
  renderRoot.adoptedStyleSheets = [...renderRoot.adoptedStyleSheets, sheet];
}
