import { showFormula } from '../math/show-formula.ts';
import { create } from './dom.ts';
import type { RenderOptions } from './render-options.ts';

/** A formula within a line. */
export function createFormula(
  source: string,
  display: boolean,
  { measured }: RenderOptions,
): HTMLElement {
  const element = create(
    'span',
    { part: 'math', class: display ? 'math display' : 'math' },
    create('code', {}, source),
  );
  if (!measured) showFormula(element, { source, display });
  return element;
}

/** A formula with lines of its own. It is drawn when its end has come. */
export class MathView {
  readonly element: HTMLElement;
  readonly #code = create('code');
  #source = '';
  readonly #measured: boolean;
  #whole = false;

  constructor({ measured = false }: RenderOptions) {
    this.#measured = measured;
    this.element = create('div', { part: 'math', class: 'math display', dir: 'ltr' }, this.#code);
  }

  append(text: string): void {
    this.#source += text;
  }

  end(whole: boolean): void {
    this.#whole = whole;
  }

  render(): void {
    const source = this.#source.trim();
    this.#code.textContent = source;
    if (this.#whole && !this.#measured) showFormula(this.element, { source, display: true });
  }
}
