import type { Inline } from '../syntax/inlines.ts';
import { create } from './dom.ts';
import { createNoteMark } from './footnotes.ts';
import { createImage } from './image-view.ts';
import { createFormula } from './math-view.ts';
import type { RenderOptions } from './render-options.ts';

/** Creates the DOM of a picture, a formula or the reference to a footnote. */
export function createRareInline(node: Inline, options: RenderOptions): Node | string {
  if (node.kind === 'image') return createImage(node, options);
  if (node.kind === 'note') return createNoteMark(node.text, options);
  if (node.half) return create('code', { class: 'half-math' }, node.text);
  const isDrawn = options.takeFormula?.() !== false;
  return isDrawn ? createFormula(node, options) : (node.raw ?? node.text);
}
