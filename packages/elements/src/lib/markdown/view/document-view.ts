import type {
  Block,
  BlockSink,
  Code,
  Item,
  Leaf,
  List,
  Note,
  Paragraph,
  Reference,
  Row,
  Table,
} from '../syntax/blocks.ts';
import { CodeView } from './code-view.ts';
import {
  createBox,
  createCode,
  createHeading,
  createList,
  createNote,
  createNotes,
} from './create-blocks.ts';
import { directionOf } from './direction.ts';
import { create } from './dom.ts';
import { type InlineContext, InlineView } from './inline-view.ts';
import { MathView } from './math-view.ts';
import type { RenderOptions } from './render-options.ts';
import { createTable, RowView } from './table-view.ts';

/** Cells that are added to rows shorter than their table's header, per document. */
const maxFillCells = 10_000;

export interface DocumentOptions extends RenderOptions {
  /** Looks up the definitions of another document, where this one has none. */
  readonly reference?: (label: string) => Reference | undefined;
}

type TextView = InlineView | CodeView | RowView | MathView;

/** What stands for an open block in the page. */
interface BlockView {
  /** The element that was added for the block. */
  readonly element: Element;
  /** Where its children go. */
  readonly content: Element;
  readonly text?: TextView | undefined;
}

/**
 * Turns blocks into elements. A block that is closed is forgotten here: its elements stay as they are,
 * so selections, focus and scroll positions in them survive whatever comes after. The one exception are
 * blocks with a reference like `[this]` whose definition comes later: they are rendered once more, then.
 */
export class DocumentView implements BlockSink {
  readonly #options: DocumentOptions;
  readonly #context: InlineContext;
  readonly #views = new Map<Block, BlockView>();
  readonly #dirty = new Set<TextView>();
  readonly #references = new Map<string, Reference>();
  readonly #waiting = new Map<string, Set<InlineView>>();
  readonly #codes = new WeakMap<Element, CodeView>();
  readonly #root: Element;
  #notes: ReturnType<typeof createNotes> | undefined;
  #latest: Element | undefined;
  #fillCells = maxFillCells;
  /** The latest outer block, while no letter says which way it runs. */
  #undirected: Element | undefined;

  constructor(root: Element, rootBlock: Block, options: DocumentOptions) {
    this.#root = root;
    this.#options = options;
    this.#context = { ...options, reference: (label) => this.reference(label) };
    this.#views.set(rootBlock, { element: root, content: root });
  }

  /** Brings the page up to date with what was told since the last time. */
  flush(): void {
    for (const text of this.#dirty) this.#renderText(text);
    this.#dirty.clear();
  }

  /** The element that the latest text went to. */
  get latest(): Element | undefined {
    return this.#latest;
  }

  /** The definition of a normalised label. */
  reference(label: string): Reference | undefined {
    return this.#references.get(label) ?? this.#options.reference?.(label);
  }

  /** The text of the block of code that `element` stands for. */
  codeOf(element: Element): string | undefined {
    return this.#codes.get(element)?.text;
  }

  open(block: Block, parent: Block): void {
    const view = this.#create(block);
    this.#put(view.element, block, parent);
    if (parent.kind === 'root') {
      this.#undirected = this.#undirectedOf(block, view.element);
      if (block.kind === 'table') this.#direct(block.header.join(' '));
    }
    this.#views.set(block, view);
    if (view.text) this.#dirty.add(view.text);
  }

  /** Footnotes are gathered at the end; everything else comes before them, where it was written. */
  #put(element: Element, block: Block, parent: Block): void {
    if (block.kind === 'note') this.#noteList().append(element);
    else if (parent.kind === 'root' && this.#notes) this.#notes.element.before(element);
    else this.#views.get(parent)?.content.append(element);
  }

  #noteList(): Element {
    if (!this.#notes) {
      this.#notes = createNotes(this.#options.strings);
      this.#root.append(this.#notes.element);
    }
    return this.#notes.list;
  }

  /** What the first letter of an outer block gives a direction to. All footnotes run as the first. */
  #undirectedOf(block: Block, element: Element): Element | undefined {
    if (block.kind === 'code' || block.kind === 'math') return undefined;
    if (block.kind !== 'note') return element;
    const notes = this.#notes?.element;
    return notes?.hasAttribute('dir') ? undefined : notes;
  }

  append(leaf: Leaf, text: string): void {
    const view = this.#views.get(leaf)?.text;
    if (!view) return;
    this.#latest = this.#views.get(leaf)?.element;
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
    if (!text) return;
    if (text instanceof CodeView) text.end();
    else if (text instanceof MathView) text.end(block.kind === 'math' && block.whole);
    else text.complete();
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
    const view = this.#views.get(item);
    view?.element.classList.add('task');
    view?.element.prepend(createBox(item, this.#options.strings));
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

  #renderText(text: TextView): void {
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
        return leafOf(createList(block));
      case 'item':
        return this.#createItem();
      case 'note':
        return this.#createNote(block);
      case 'rule':
        return leafOf(create('hr', { part: 'rule' }));
      case 'heading':
        return this.#withInlines(createHeading(block.level));
      case 'code':
        return this.#createCode(block);
      case 'math':
        return this.#createMath();
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

  #createItem(): BlockView {
    const content = create('div');
    return { element: create('li', {}, content), content };
  }

  #createNote({ number }: Note): BlockView {
    return createNote(number, this.#options.strings);
  }

  #createCode({ language }: Code): BlockView {
    const { element, code } = createCode(language, this.#options.strings);
    const text = new CodeView(code, this.#options.measured ? '' : language);
    this.#codes.set(element, text);
    return { element, content: code, text };
  }

  #createMath(): BlockView {
    const text = new MathView(this.#options);
    return { element: text.element, content: text.element, text };
  }

  #createPlain(): BlockView {
    const element = create('div', { part: 'plain', class: 'plain' });
    return { element, content: element, text: new CodeView(element) };
  }

  #createTable(table: Table): BlockView {
    const { element, body, cells } = createTable(table, this.#context, this.#options.strings.table);
    for (const cell of cells) this.#dirty.add(cell);
    return { element, content: body };
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
