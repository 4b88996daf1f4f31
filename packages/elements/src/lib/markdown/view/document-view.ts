import { extras } from '../extras.ts';
import type {
  Block,
  BlockSink,
  Item,
  Leaf,
  List,
  Paragraph,
  Quote,
  Reference,
} from '../syntax/blocks.ts';
import { createBox, createHeading, createList } from './create-blocks.ts';
import { directionOf } from './direction.ts';
import { create } from './dom.ts';
import type { Footnotes } from './footnotes.ts';
import { type InlineContext, InlineView } from './inline-view.ts';
import type { RenderOptions } from './render-options.ts';

/** Cells that are added to rows shorter than their table's header, per document. */
const maxFillCells = 10_000;

/**
 * Bounds on rendering again, in characters: at once, and for each character of new text. Definitions can
 * follow everything that names them; without a bound the cost would grow faster than the text. When the
 * text has ended, everything is rendered.
 */
const maxAllowance = 20_000;
const allowancePerCharacter = 8;

/** Cost of numbering one footnote reference, in characters. */
const markCost = 20;

export interface DocumentOptions extends RenderOptions {
  /** Looks up the definitions of another document, where this one has none. */
  readonly reference?: (label: string) => Reference | undefined;
  /** Called when text was rendered again because the characters that it names were loaded. */
  readonly onEntities?: () => void;
}

/** DOM of text that grows at its end. */
export interface TextView {
  append(text: string): void;
  /** Notes that no more text follows. */
  complete(block: Block): void;
  render(): void;
  /** The text, of code. */
  readonly text?: string;
  /** The cells, of a row. */
  readonly cells?: readonly InlineView[];
}

/** DOM of an open block. */
export interface BlockView {
  /** The element that was added for the block. */
  readonly element: Element;
  /** Element that contains its children. */
  readonly content: Element;
  readonly text?: TextView | undefined;
  /** Texts that are complete when the block is opened, such as the header of a table. */
  readonly texts?: readonly TextView[];
}

/**
 * Renders blocks as DOM. The DOM of a closed block is not changed again, so that selection, focus and
 * scroll positions in it are kept. The only exception are blocks with a reference such as `[this]`
 * whose definition follows later: they are rendered again.
 */
export class DocumentView implements BlockSink {
  readonly #options: DocumentOptions;
  readonly #context: InlineContext;
  readonly #views = new Map<Block, BlockView>();
  readonly #dirty = new Set<TextView>();
  readonly #references = new Map<string, Reference>();
  readonly #waiting = new Map<string, Set<InlineView>>();
  readonly #codes = new WeakMap<Element, TextView>();
  readonly #root: Element;
  /** Views with named character references that are not loaded yet. */
  readonly #withoutEntities = new Set<InlineView>();
  #hasEnded = false;
  /** Views to render again, because a label that they refer to was defined. */
  readonly #stale = new Set<InlineView>();
  /** Budget for rendering again and numbering, in characters. It grows with the text. */
  #allowance = maxAllowance;
  #notes: Footnotes | undefined;
  #areNotesInOrder = true;
  #latest: Element | undefined;
  #fillCells = maxFillCells;
  /** The latest outer block, while no letter says which way it runs. */
  #undirected: Element | undefined;

  constructor(root: Element, rootBlock: Block, options: DocumentOptions) {
    this.#root = root;
    this.#options = options;
    this.#context = {
      ...options,
      reference: (label) => this.reference(label),
      noteNumber: (label) => this.#notes?.numberOf(label) ?? 0,
    };
    this.#views.set(rootBlock, { element: root, content: root });
  }

  /** Renders the changes since the last call. `ended`: no more text will come. */
  flush(ended = false): void {
    this.#hasEnded = ended;
    for (const text of this.#dirty) this.#renderText(text);
    this.#dirty.clear();
    for (const view of this.#stale) {
      if (!ended && this.#allowance <= 0) break;
      this.#stale.delete(view);
      this.#allowance -= view.length;
      view.renderAgain();
      this.#waitFor(view);
    }
    if (this.#notes && !this.#areNotesInOrder && (ended || this.#allowance > 0)) {
      this.#areNotesInOrder = true;
      this.#allowance -= markCost * this.#notes.arrange(this.#root);
    }
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
    for (const text of view.texts ?? []) this.#dirty.add(text);
    if (!view.text) return;
    this.#dirty.add(view.text);
    if (block.kind === 'code') this.#codes.set(view.element, view.text);
  }

  /** Footnotes get their place when they are numbered; everything else comes before them. */
  #put(element: Element, block: Block, parent: Block): void {
    if (block.kind === 'note') return;
    if (parent.kind === 'root' && this.#notes?.element.parentNode === this.#root) {
      this.#notes.element.before(element);
    } else this.#views.get(parent)?.content.append(element);
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
    this.#allowance = Math.min(maxAllowance, this.#allowance + allowancePerCharacter * text.length);
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
    text.complete(block);
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

  alert(quote: Quote): void {
    const element = this.#views.get(quote)?.element;
    const title = extras()?.createAlertTitle(quote, this.#options.strings);
    if (!element || !title || !quote.alert) return;
    element.classList.add('alert', quote.alert);
    element.prepend(title);
  }

  define(label: string, reference: Reference): void {
    if (this.#references.has(label)) return;
    this.#references.set(label, reference);
    for (const view of this.#waiting.get(label) ?? []) this.#stale.add(view);
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
    for (const cell of text.cells ?? []) this.#waitFor(cell);
  }

  #waitFor(view: InlineView): void {
    if (view.needsEntities && !this.#withoutEntities.has(view)) {
      this.#withoutEntities.add(view);
      if (this.#withoutEntities.size === 1) void this.#loadEntities();
    }
    if (this.#notes) this.#areNotesInOrder = false;
    for (const label of view.takeMissing()) {
      const views = this.#waiting.get(label) ?? new Set();
      this.#waiting.set(label, views.add(view));
    }
  }

  async #loadEntities(): Promise<void> {
    if (!(await extras()?.loadEntities())) return;
    for (const view of this.#withoutEntities) this.#stale.add(view);
    this.#withoutEntities.clear();
    this.flush(this.#hasEnded);
    this.#options.onEntities?.();
  }

  #create(block: Block): BlockView {
    switch (block.kind) {
      case 'paragraph':
        return this.#withInlines(create('p'));
      case 'quote':
        return leafOf(create('blockquote', { part: 'quote' }));
      case 'list':
        return leafOf(createList(block));
      case 'item':
        return this.#createItem();
      case 'rule':
        return leafOf(create('hr', { part: 'rule' }));
      case 'heading':
        return this.#withInlines(createHeading(block.level));
      case 'note':
        return this.#createNote(block.label);
      default:
        return this.#createRare(block);
    }
  }

  #withInlines(element: HTMLElement): BlockView {
    return { element, content: element, text: new InlineView(element, this.#context) };
  }

  #createItem(): BlockView {
    const content = create('div');
    return { element: create('li', {}, content), content };
  }

  #createNote(label: string): BlockView {
    const rare = extras();
    if (!rare) return this.#withInlines(create('p'));
    this.#notes ??= new rare.Footnotes(this.#options.strings);
    this.#areNotesInOrder = false;
    return this.#notes.add(label);
  }

  /** Without the extras, the text of a rare block is shown as a paragraph. */
  #createRare(block: Block): BlockView {
    const takeFill = (cells: number) => {
      const granted = Math.min(cells, this.#fillCells);
      this.#fillCells -= granted;
      return granted;
    };
    const view = extras()?.createRareBlock(block, this.#context, takeFill);
    return view ?? this.#withInlines(create('p'));
  }
}

const leafOf = (element: HTMLElement): BlockView => ({ element, content: element });
