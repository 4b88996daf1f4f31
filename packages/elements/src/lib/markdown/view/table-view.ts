import { splitCells } from '../syntax/block-starts.ts';
import type { Alignment, Table } from '../syntax/blocks.ts';
import { create } from './dom.ts';
import { type InlineContext, InlineView } from './inline-view.ts';

/** Text longer than this gets a column that it can be read in, even where the table must scroll then. */
const longText = 24;

/** A table's frame with its header. Rows go into `body`. */
export function createTable({ header, alignments }: Table, context: InlineContext, label: string) {
  const body = create('tbody');
  const head = create('tr');
  const cells = header.map((text, index) => {
    const cell = create('th', { scope: 'col' });
    head.append(cell);
    return fillCell(cell, text, alignments[index], context);
  });
  const table = create('table', { part: 'table' }, create('thead', {}, head), body);
  const attributes = { class: 'table', tabindex: '0', role: 'group', 'aria-label': label };
  return { element: create('div', attributes, table), body, cells };
}

function fillCell(
  cell: HTMLElement,
  text: string,
  alignment: Alignment,
  context: InlineContext,
): InlineView {
  if (alignment) cell.classList.add(alignment);
  if (text.length > longText) cell.classList.add('long');
  const view = new InlineView(cell, context);
  view.append(text);
  view.complete();
  return view;
}

/** A row of a table, growing at its end. */
export class RowView {
  readonly #element: HTMLElement;
  readonly #alignments: readonly Alignment[];
  readonly #context: InlineContext;
  readonly #takeFill: (cells: number) => number;
  #source = '';
  #complete = false;
  cells: InlineView[] = [];

  constructor(
    element: HTMLElement,
    alignments: readonly Alignment[],
    context: InlineContext,
    takeFill: (cells: number) => number,
  ) {
    this.#element = element;
    this.#alignments = alignments;
    this.#context = context;
    this.#takeFill = takeFill;
  }

  append(text: string): void {
    this.#source += text;
  }

  complete(): void {
    this.#complete = true;
  }

  render(): void {
    const texts = splitCells(this.#source).slice(0, this.#alignments.length);
    const missing = this.#alignments.length - texts.length;
    const fill = this.#complete ? this.#takeFill(missing) : missing;
    this.#element.replaceChildren();
    this.cells = [];
    for (let index = 0; index < texts.length + fill; index += 1) {
      const cell = create('td');
      this.#element.append(cell);
      const view = fillCell(cell, texts[index] ?? '', this.#alignments[index], this.#context);
      view.render();
      this.cells.push(view);
    }
  }
}
