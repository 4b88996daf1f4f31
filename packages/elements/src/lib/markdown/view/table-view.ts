import { createElement } from '../../create-element.ts';
import { focusWhenScrollable } from '../../focusable-scrollers.ts';
import type { Alignment, Table } from '../syntax/blocks.ts';
import { RowCells } from '../syntax/row-cells.ts';
import type { InlineContext } from './block-view.ts';
import { InlineView } from './inline-view.ts';

/** Length in characters above which a cell widens its column, so that the table may scroll. */
const longCellLength = 24;

/** Creates a table with its header. Rows are added to `body`. */
export function createTable({ header, alignments }: Table, context: InlineContext, label: string) {
  const body = createElement('tbody');
  const head = createElement('tr');
  const cells = header.map((text, index) => {
    const cell = createElement('th', { scope: 'col' });
    head.append(cell);
    return fillCell(cell, text, alignments[index], context);
  });
  const table = createElement('table', { part: 'table' }, createElement('thead', {}, head), body);
  const element = createElement(
    'div',
    { class: 'table', role: 'group', 'aria-label': label },
    table,
  );
  focusWhenScrollable(element);
  return { element, body, cells };
}

function fillCell(
  cell: HTMLElement,
  text: string,
  alignment: Alignment,
  context: InlineContext,
): InlineView {
  if (alignment) cell.classList.add(alignment);
  if (text.length > longCellLength) cell.classList.add('long');
  const view = new InlineView(cell, context);
  view.append(text);
  view.complete();
  return view;
}

/** A row of a table, to which text can be appended. The DOM of complete cells does not change. */
export class RowView {
  readonly #element: HTMLElement;
  readonly #alignments: readonly Alignment[];
  readonly #context: InlineContext;
  readonly #grantCells: (count: number) => number;
  readonly #split = new RowCells((index, text) => this.#write(index, text));
  readonly #lengths: number[] = [];
  /** Number of cells; until the row is complete, the number of cells of the header. */
  #columns: number;
  /** Index of the first cell that has changed since it was rendered. */
  #firstChanged = 0;
  readonly cells: InlineView[] = [];

  /** `grantCells` returns how many of the missing cells of a short row may be added. */
  constructor(
    element: HTMLElement,
    alignments: readonly Alignment[],
    context: InlineContext,
    grantCells: (count: number) => number,
  ) {
    this.#element = element;
    this.#alignments = alignments;
    this.#context = context;
    this.#grantCells = grantCells;
    this.#columns = alignments.length;
  }

  append(text: string): void {
    this.#split.add(text);
  }

  complete(): void {
    this.#split.end();
    this.cells.at(-1)?.complete();
    const missing = this.#alignments.length - this.cells.length;
    this.#columns = this.cells.length + this.#grantCells(missing);
  }

  #write(index: number, text: string): void {
    if (index >= this.#alignments.length) return;
    const element = this.#element.children[index] ?? this.#addElement();
    let cell = this.cells[index];
    if (!cell) {
      this.cells[index - 1]?.complete();
      cell = new InlineView(element, this.#context);
      this.cells.push(cell);
      this.#lengths.push(0);
    }
    cell.append(text);
    const length = (this.#lengths[index] ?? 0) + text.length;
    this.#lengths[index] = length;
    if (length > longCellLength) element.classList.add('long');
  }

  #addElement(): Element {
    const alignment = this.#alignments[this.#element.children.length];
    const element = createElement('td', alignment ? { class: alignment } : {});
    this.#element.append(element);
    return element;
  }

  render(): void {
    while (this.#element.children.length < this.#columns) this.#addElement();
    while (this.#element.children.length > this.#columns) this.#element.lastElementChild?.remove();
    for (const cell of this.cells.slice(this.#firstChanged)) cell.render();
    this.#firstChanged = Math.max(0, this.cells.length - 1);
  }
}
