import type { Inline } from '../syntax/inlines.ts';
import { createFootnoteMark } from './footnotes.ts';
import { createImage } from './image-view.ts';
import { createFormula } from './math-view.ts';
import type { RenderOptions } from './render-options.ts';

/** Creates the DOM of an image, a formula or a footnote reference. */
export function createRareInline(node: Inline, options: RenderOptions): Node | string {
  if (node.kind === 'image') return createImage(node, options);
  if (node.kind === 'note') return createFootnoteMark(node.text, options);
  const isRendered = options.takeFormula?.() !== false;
  return isRendered ? createFormula(node, options) : (node.raw ?? node.text);
}
