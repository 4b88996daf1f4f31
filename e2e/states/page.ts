/** Script of the page that shows and audits the states. */
import type axe from 'axe-core';
// `axe` is a classic script without exports, which sets `window.axe`.
import 'axe-core/axe.js';
import '@inlay/elements/define-all';
import { auditFocus, auditMotion, auditOrder, auditTargets } from './audit.ts';
import { auditSpacing } from './audit-spacing.ts';
import { states } from './states.ts';
import { TestPage } from './test-page.ts';
import { allElements, isShown } from './tree.ts';

declare global {
  interface Window {
    readonly axe: typeof axe;
    showState(name: string): Promise<void>;
    /** Creates a custom page, for e2e stories. */
    openTestPage(): TestPage;
    /** Audits the page. Returns one string per finding. */
    auditState(): Promise<string[]>;
    /** Audits the focus. Moving the focus can close overlays, so this audit must be the last. */
    auditFocus(): { readonly lines: string[]; readonly isUnchanged: boolean };
    /** Measures the width of texts by font. */
    measure(texts: Readonly<Record<string, string>>): Record<string, number>;
  }
}

window.showState = async (name) => {
  const state = states.find((each) => each.name === name);
  if (!state) throw new Error(`There is no state ${name}.`);
  await state.show(new TestPage());
};

window.openTestPage = () => new TestPage();

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Resolves after the panel has faded in, which starts again when the emulated preferences change. */
const panelHasFaded = () =>
  Promise.allSettled(
    allElements()
      .filter(({ localName }) => localName === 'dialog')
      .flatMap((panel) => panel.getAnimations().map(({ finished }) => finished)),
  );

window.auditState = async () => {
  await panelHasFaded();
  const { violations } = await window.axe.run(document, {
    runOnly: rules,
    rules: { 'heading-order': { enabled: true }, 'empty-heading': { enabled: true } },
    resultTypes: ['violations'],
  });
  const lines = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}`),
  );
  // WCAG 2.2, 1.4.10: no horizontal scrolling at 320 px.
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) lines.push(`reflow: the page is ${scrollWidth} px wide`);
  // WCAG 2.2: 24 px (2.5.8), and for touch input 44 px (2.5.5).
  const minTargetSize = matchMedia('(pointer: coarse)').matches ? 44 : 24;
  lines.push(...auditTargets(minTargetSize), ...auditOrder(), ...auditMotion());
  return [...new Set([...lines, ...auditSpacing()])];
};

window.auditFocus = () => {
  const before = allElements().filter(isShown).length;
  const lines = [...new Set(auditFocus())];
  return { lines, isUnchanged: allElements().filter(isShown).length === before };
};

window.measure = (texts) => {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas.');
  const widths = Object.entries(texts).map(([font, text]) => {
    context.font = `100px "${font}", monospace`;
    return [font, Math.round(context.measureText(text).width)];
  });
  return Object.fromEntries(widths);
};
