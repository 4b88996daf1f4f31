import { createElement } from '../../create-element.ts';
import { focusWhenScrollable } from '../../focusable-scrollers.ts';
import { showFormula } from '../math/show-formula.ts';
import type { Block } from '../syntax/blocks.ts';
import type { Inline } from '../syntax/inlines.ts';
import { isEnvironmentEnd } from '../syntax/math-syntax.ts';
import type { RenderOptions } from './render-options.ts';

/** Creates an inline formula, or a display formula within a paragraph. */
export function createFormula(
  { text, display = false, raw = text }: Inline,
  { lengthsOnly }: RenderOptions,
): HTMLElement {
  const element = createElement(
    'span',
    { part: 'math', class: display ? 'math display' : 'math', translate: 'no' },
    createElement('code', {}, text),
  );
  if (!lengthsOnly) showFormula(element, { source: text, display, raw });
  return element;
}

/** A formula that is a block. It is shown when it is complete. */
export class MathView {
  readonly element: HTMLElement;
  readonly #code = createElement('code');
  #source = '';
  readonly #lengthsOnly: boolean;
  readonly #closer: string;
  #closed = false;

  constructor(closer: string, { lengthsOnly = false }: RenderOptions) {
    this.#lengthsOnly = lengthsOnly;
    this.#closer = closer;
    this.#code.hidden = true;
    this.element = createElement(
      'div',
      { part: 'math', class: 'math display', dir: 'ltr', translate: 'no' },
      this.#code,
    );
    focusWhenScrollable(this.element);
  }

  append(text: string): void {
    this.#source += text;
  }

  complete(block: Block): void {
    this.#closed = block.kind === 'math' && block.closed;
    this.#code.hidden = false;
  }

  render(): void {
    const source = this.#source.trim();
    this.#code.textContent = source;
    if (this.#closed && !this.#lengthsOnly) {
      const raw = withDelimiters(source, this.#closer);
      showFormula(this.element, { source, display: true, raw });
    }
  }
}

function withDelimiters(source: string, closer: string): string {
  if (isEnvironmentEnd(closer)) return source;
  return closer === '$$' ? `$$\n${source}\n$$` : `\\[\n${source}\n\\]`;
}
