import { splitCells } from '../syntax/block-starts.ts';
import type {
  Alignment,
  Block,
  BlockSink,
  Code,
  Item,
  Leaf,
  List,
  Paragraph,
  Reference,
  Row,
  Table,
} from '../syntax/blocks.ts';
import { CodeView } from './code-view.ts';
import { directionOf } from './direction.ts';
import { create } from './dom.ts';
import { type InlineContext, InlineView } from './inline-view.ts';
import type { RenderOptions } from './render-inline.ts';

/** Cells that are added to rows shorter than their table's header, per document. */
const maxFillCells = 10_000;

/** What stands for an open block in the page. */
interface BlockView {
  /** The element that was added for the block. */
  readonly element: Element;
  /** Where its children go. */
  readonly content: Element;
  readonly text?: InlineView | CodeView | RowView | undefined;
}

/**
 * Turns blocks into elements. A block that is closed is forgotten here: its elements stay as they are,
 * so selections, focus and scroll positions in them survive whatever comes after. The one exception are
 * blocks with a reference like `[this]` whose definition comes later: they are rendered once more, then.
 */
export class DocumentView implements BlockSink {
  readonly #options: RenderOptions;
  readonly #context: InlineContext;
  readonly #views = new Map<Block, BlockView>();
  readonly #dirty = new Set<InlineView | CodeView | RowView>();
  readonly #references = new Map<string, Reference>();
  readonly #waiting = new Map<string, Set<InlineView>>();
  readonly #codes = new WeakMap<Element, CodeView>();
  #fillCells = maxFillCells;
  /** The latest outer block, while no letter says which way it runs. */
  #undirected: Element | undefined;

  constructor(root: Element, rootBlock: Block, options: RenderOptions) {
    this.#options = options;
    this.#context = { ...options, reference: (label) => this.#references.get(label) };
    this.#views.set(rootBlock, { element: root, content: root });
  }

  /** Brings the page up to date with what was told since the last time. */
  flush(): void {
    for (const text of this.#dirty) this.#renderText(text);
    this.#dirty.clear();
  }

  /** The text of the block of code that `element` stands for. */
  codeOf(element: Element): string | undefined {
    return this.#codes.get(element)?.text;
  }

  open(block: Block, parent: Block): void {
    const view = this.#create(block);
    if (parent.kind === 'root') {
      this.#undirected = block.kind === 'code' ? undefined : view.element;
      if (block.kind === 'table') this.#direct(block.header.join(' '));
    }
    const place = this.#views.get(parent);
    place?.content.append(view.element);
    this.#views.set(block, view);
    if (view.text) this.#dirty.add(view.text);
  }

  append(leaf: Leaf, text: string): void {
    const view = this.#views.get(leaf)?.text;
    if (!view) return;
    if (this.#undirected) this.#direct(text);
    view.append(text);
    this.#dirty.add(view);
  }

  rewrite(paragraph: Paragraph, text: string): void {
    const view = this.#views.get(paragraph)?.text;
    if (view instanceof InlineView) view.replace(text);
  }

  close(block: Block): void {
    const text = this.#views.get(block)?.text;
    this.#views.delete(block);
    if (!text || text instanceof CodeView) return;
    text.complete();
    this.#dirty.add(text);
  }

  remove(block: Block): void {
    const view = this.#views.get(block);
    this.#views.delete(block);
    view?.element.remove();
    if (view?.text) this.#dirty.delete(view.text);
  }

  loosen(list: List): void {
    this.#views.get(list)?.element.classList.add('loose');
  }

  mark(item: Item): void {
    const { strings } = this.#options;
    const done = item.task === 'done';
    const box = create('input', {
      type: 'checkbox',
      part: 'task',
      disabled: '',
      'aria-label': done ? strings.taskDone : strings.taskOpen,
      ...(done ? { checked: '' } : {}),
    });
    const view = this.#views.get(item);
    view?.element.classList.add('task');
    view?.element.prepend(box);
  }

  define(label: string, reference: Reference): void {
    if (this.#references.has(label)) return;
    this.#references.set(label, reference);
    for (const view of this.#waiting.get(label) ?? []) {
      view.renderAgain();
      this.#waitFor(view);
    }
    this.#waiting.delete(label);
  }

  /**
   * Gives the latest outer block the direction of its first letter. The browser would do it for
   * `dir="auto"`, but looks through the whole block again for each node that is added to it.
   */
  #direct(text: string): void {
    const direction = directionOf(text);
    if (!direction) return;
    this.#undirected?.setAttribute('dir', direction);
    this.#undirected = undefined;
  }

  #renderText(text: InlineView | CodeView | RowView): void {
    text.render();
    if (text instanceof InlineView) this.#waitFor(text);
    else if (text instanceof RowView) for (const cell of text.cells) this.#waitFor(cell);
  }

  #waitFor(view: InlineView): void {
    for (const label of view.missing) {
      const views = this.#waiting.get(label) ?? new Set();
      this.#waiting.set(label, views.add(view));
    }
  }

  #create(block: Block): BlockView {
    switch (block.kind) {
      case 'quote':
        return leafOf(create('blockquote', { part: 'quote' }));
      case 'list':
        return leafOf(this.#createList(block));
      case 'item':
        return this.#createItem();
      case 'rule':
        return leafOf(create('hr', { part: 'rule' }));
      case 'heading':
        return this.#withInlines(createHeading(block.level));
      case 'code':
        return this.#createCode(block);
      case 'table':
        return this.#createTable(block);
      case 'row':
        return this.#createRow(block);
      case 'plain':
        return this.#createPlain();
      default:
        return this.#withInlines(create('p'));
    }
  }

  #withInlines(element: HTMLElement): BlockView {
    return { element, content: element, text: new InlineView(element, this.#context) };
  }

  #createList({ ordered, start }: List): HTMLElement {
    if (!ordered) return create('ul', { part: 'list' });
    return create('ol', { part: 'list', ...(start === 1 ? {} : { start: String(start) }) });
  }

  #createItem(): BlockView {
    const content = create('div');
    return { element: create('li', {}, content), content };
  }

  #createCode({ language }: Code): BlockView {
    const { strings } = this.#options;
    const name = language ? `${strings.codeBlock}: ${language}` : strings.codeBlock;
    const code = create('code');
    const element = create(
      'div',
      { part: 'code', class: 'code', dir: 'ltr' },
      create(
        'div',
        { part: 'code-header', class: 'code-header' },
        create('span', { part: 'code-language' }, language || strings.codeBlock),
        create('button', { part: 'copy', type: 'button', class: 'copy' }, strings.copy),
      ),
      create('pre', { tabindex: '0', role: 'group', 'aria-label': name }, code),
    );
    const text = new CodeView(code);
    this.#codes.set(element, text);
    return { element, content: code, text };
  }

  #createPlain(): BlockView {
    const element = create('div', { part: 'plain', class: 'plain' });
    return { element, content: element, text: new CodeView(element) };
  }

  #createTable({ header, alignments }: Table): BlockView {
    const body = create('tbody');
    const head = create('tr');
    for (const [index, text] of header.entries()) {
      const cell = create('th', { scope: 'col' });
      head.append(cell);
      this.#dirty.add(fillCell(cell, text, alignments[index], this.#context));
    }
    const table = create('table', { part: 'table' }, create('thead', {}, head), body);
    const { strings } = this.#options;
    const attributes = {
      class: 'table',
      tabindex: '0',
      role: 'group',
      'aria-label': strings.table,
    };
    return { element: create('div', attributes, table), content: body };
  }

  #createRow({ table }: Row): BlockView {
    const element = create('tr');
    const text = new RowView(element, table.alignments, this.#context, (cells) => {
      const granted = Math.min(cells, this.#fillCells);
      this.#fillCells -= granted;
      return granted;
    });
    return { element, content: element, text };
  }
}

const leafOf = (element: HTMLElement): BlockView => ({ element, content: element });

/**
 * The host page has its own headings, and an answer belongs somewhere below them: its first level is
 * the page's third. The look follows the level that was written.
 */
function createHeading(level: number): HTMLElement {
  const tags = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;
  return create(tags[level - 1] ?? 'h6', { part: 'heading', class: `level-${level}` });
}

function fillCell(
  cell: HTMLElement,
  text: string,
  alignment: Alignment,
  context: InlineContext,
): InlineView {
  if (alignment) cell.classList.add(alignment);
  const view = new InlineView(cell, context);
  view.append(text);
  view.complete();
  return view;
}

/** A row of a table, growing at its end. */
class RowView {
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
