import type axe from 'axe-core';
// axe-core is a classic script: it has no export, and sets `window.axe`.
import 'axe-core/axe.js';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/**
 * Audits an element and its shadow trees against WCAG 2.2 A and AA.
 *
 * @throws {Error} If the element violates a rule; the message lists the rules and the elements.
 */
export async function expectAccessible(element: Element): Promise<void> {
  const { violations } = await window.axe.run(element, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  });
  if (violations.length === 0) return;

  const lines = violations.flatMap((violation) => [
    `${violation.id}: ${violation.help} (${violation.helpUrl})`,
    ...violation.nodes.map((node) => `  ${node.target.join(' ')}: ${node.html}`),
  ]);
  throw new Error(`The element has accessibility violations:\n${lines.join('\n')}`);
}
