import { showFormula } from '../math/show-formula.ts';
import type { Block } from '../syntax/blocks.ts';
import type { Inline } from '../syntax/inlines.ts';
import { create } from './dom.ts';
import type { RenderOptions } from './render-options.ts';

/** A formula within a line. */
export function createFormula(
  { text, display = false, raw = text }: Inline,
  { measured }: RenderOptions,
): HTMLElement {
  const element = create(
    'span',
    { part: 'math', class: display ? 'math display' : 'math' },
    create('code', {}, text),
  );
  if (!measured) showFormula(element, { source: text, display, raw });
  return element;
}

/** A formula with lines of its own. It is drawn when its end has come. */
export class MathView {
  readonly element: HTMLElement;
  readonly #code = create('code');
  #source = '';
  readonly #measured: boolean;
  readonly #closer: string;
  #whole = false;

  constructor(closer: string, { measured = false }: RenderOptions) {
    this.#measured = measured;
    this.#closer = closer;
    this.element = create('div', { part: 'math', class: 'math display', dir: 'ltr' }, this.#code);
  }

  append(text: string): void {
    this.#source += text;
  }

  complete(block: Block): void {
    this.#whole = block.kind === 'math' && block.whole;
  }

  render(): void {
    const source = this.#source.trim();
    this.#code.textContent = source;
    if (this.#whole && !this.#measured) {
      const raw = this.#closer === '$$' ? `$$\n${source}\n$$` : `\\[\n${source}\n\\]`;
      showFormula(this.element, { source, display: true, raw });
    }
  }
}
