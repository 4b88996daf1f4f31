import { createElement } from '../../create-element.ts';
import { directionOf, hasRightToLeftLetter } from '../../untrusted-text.ts';
import { extras, type FootnoteList } from '../extras.ts';
import type { Block, BlockSink, Item, Leaf, List, Quote, Reference } from '../syntax/blocks.ts';
import type { BlockView, InlineContext, TextView } from './block-view.ts';
import { changeContent } from './content-guard.ts';
import { createCheckbox, createHeading, createList } from './create-blocks.ts';
import { InlineView } from './inline-view.ts';
import type { RenderOptions } from './render-options.ts';

/** Maximum number of empty cells added per document to table rows that are shorter than the header. */
const maxPadCells = 10_000;

/**
 * Maximum number of characters that may be rendered again before more text arrives. Without a budget,
 * rendering all blocks again that refer to a new definition would take quadratic time. When the text is
 * complete, all blocks that need it are rendered again.
 */
const maxBudget = 20_000;

/** Characters added to the budget for each new character. */
const budgetPerCharacter = 8;

/** Cost of numbering a footnote reference, in characters. */
const footnoteCost = 20;

export interface DocumentOptions extends RenderOptions {
  /** Returns a definition of another document; called if this document has none. */
  readonly reference?: (label: string) => Reference | undefined;
  /** Called after text was rendered again with the lazy-loaded named character references. */
  readonly onEntitiesLoaded?: () => void;
}

/** The view that rendered last into an element. */
const currentViews = new WeakMap<Element, DocumentView>();

/**
 * Renders blocks as DOM. The DOM of a closed block does not change, so that selection, focus and
 * scroll positions in it are kept. The only exceptions are blocks with a reference such as `[this]`
 * whose definition follows later, and blocks with named character references whose table is loaded later.
 */
export class DocumentView implements BlockSink {
  readonly #options: DocumentOptions;
  readonly #context: InlineContext;
  readonly #views = new Map<Block, BlockView>();
  readonly #dirty = new Set<TextView>();
  readonly #references = new Map<string, Reference>();
  /** Views by the undefined labels that they refer to. */
  readonly #viewsByUndefinedLabel = new Map<string, Set<InlineView>>();
  /** Views by the element of their code block. */
  readonly #codeViews = new WeakMap<Element, TextView>();
  readonly #root: Element;
  /** Views with named character references that are not loaded yet. */
  readonly #awaitingEntities = new Set<InlineView>();
  #hasEnded = false;
  /** Views to render again, because a label that they refer to was defined. */
  readonly #stale = new Set<InlineView>();
  /** Budget for rendering again and numbering footnotes, in characters. */
  #budget = maxBudget;
  #notes: FootnoteList | undefined;
  #areNotesInOrder = true;
  #latest: Element | undefined;
  /** Number of cells that can still be added to short rows. */
  #remainingPadCells = maxPadCells;
  /** The last top-level block while its text direction may change; undefined otherwise. */
  #blockWithoutDirection: Element | undefined;
  /** Whether the last block with a direction is right-to-left. */
  #isRightToLeft = false;
  /** Whether the block with a direction before the last block is right-to-left. */
  #isAfterRightToLeft = false;

  constructor(root: Element, rootBlock: Block, options: DocumentOptions) {
    this.#root = root;
    currentViews.set(root, this);
    this.#options = options;
    this.#context = {
      ...options,
      reference: (label) => this.reference(label),
      isComplete: () => this.#hasEnded || options.lengthsOnly === true,
      noteNumber: (label) => this.#notes?.numberOf(label) ?? 0,
    };
    this.#views.set(rootBlock, { element: root, content: root });
  }

  /**
   * Renders the changes since the last call.
   *
   * @param ended - Whether the text is complete.
   */
  flush(ended = false): void {
    if (ended && !this.#hasEnded) this.#showUndefinedReferences();
    this.#hasEnded = ended;
    for (const text of this.#dirty) this.#renderText(text);
    this.#dirty.clear();
    for (const view of this.#stale) {
      if (!ended && this.#budget <= 0) break;
      this.#stale.delete(view);
      this.#budget -= view.length;
      view.renderAgain();
      this.#trackMissing(view);
    }
    if (this.#notes && !this.#areNotesInOrder && (ended || this.#budget > 0)) {
      this.#areNotesInOrder = true;
      this.#budget -= footnoteCost * this.#notes.arrange(this.#root);
    }
  }

  /**
   * Marks the views with undefined references as stale. The syntax of these references was hidden while
   * the text streamed, because a definition could still arrive.
   */
  #showUndefinedReferences(): void {
    for (const views of this.#viewsByUndefinedLabel.values()) {
      for (const view of views) if (view.hasPending) this.#stale.add(view);
    }
  }

  /** The element to which text was added last. */
  get latest(): Element | undefined {
    return this.#latest;
  }

  /** Returns the definition of a normalized label. */
  reference(label: string): Reference | undefined {
    return this.#references.get(label) ?? this.#options.reference?.(label);
  }

  /** Returns the code of the code block that is rendered as `element`. */
  codeOf(element: Element): string | undefined {
    return this.#codeViews.get(element)?.text;
  }

  open(block: Block, parent: Block): void {
    const view = this.#create(block);
    this.#insert(view.element, block, parent);
    if (parent.kind === 'root') {
      this.#blockWithoutDirection = this.#directionTarget(block, view.element);
      this.#isAfterRightToLeft = this.#isRightToLeft;
      if (block.kind === 'table') this.#setDirection(block.header.join(' '));
    }
    this.#views.set(block, view);
    for (const text of view.texts ?? []) this.#dirty.add(text);
    if (!view.text) return;
    this.#dirty.add(view.text);
    if (block.kind === 'code') this.#codeViews.set(view.element, view.text);
  }

  /** Inserts a block before the footnotes, which are inserted when they are numbered. */
  #insert(element: Element, block: Block, parent: Block): void {
    if (block.kind === 'note') return;
    if (parent.kind === 'root' && this.#notes?.element.parentNode === this.#root) {
      this.#notes.element.before(element);
    } else this.#views.get(parent)?.content.append(element);
  }

  /**
   * The element whose `dir` a top-level block determines: the block, or the section of all footnotes.
   * Undefined for code and formulas, and if the footnotes have a direction.
   */
  #directionTarget(block: Block, element: Element): Element | undefined {
    if (block.kind === 'code' || block.kind === 'math') return undefined;
    if (block.kind !== 'note') return element;
    const notes = this.#notes?.element;
    return notes?.hasAttribute('dir') ? undefined : notes;
  }

  append(leaf: Leaf, text: string): void {
    const view = this.#views.get(leaf)?.text;
    if (!view) return;
    this.#latest = this.#views.get(leaf)?.element;
    if (this.#blockWithoutDirection) this.#setDirection(text);
    this.#budget = Math.min(maxBudget, this.#budget + budgetPerCharacter * text.length);
    view.append(text);
    this.#dirty.add(view);
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

  makeTask(item: Item): void {
    const view = this.#views.get(item);
    view?.element.classList.add('task');
    view?.element.prepend(createCheckbox(item, this.#options.strings));
  }

  makeAlert(quote: Quote): void {
    const element = this.#views.get(quote)?.element;
    const title = extras()?.createAlertTitle(quote, this.#options.strings);
    if (!element || !title || !quote.alert) return;
    element.classList.add('alert', quote.alert);
    element.prepend(title);
  }

  define(label: string, reference: Reference): void {
    if (this.#references.has(label)) return;
    this.#references.set(label, reference);
    for (const view of this.#viewsByUndefinedLabel.get(label) ?? []) this.#stale.add(view);
    this.#viewsByUndefinedLabel.delete(label);
  }

  /**
   * Sets `dir` of the last top-level block by its first letter. With `dir="auto"`, the browser would
   * search the whole block again for each node that is added to it. After a right-to-left block, a block
   * that contains right-to-left letters is right-to-left as well, such as a list whose first item starts
   * with the name of a product.
   */
  #setDirection(text: string): void {
    const block = this.#blockWithoutDirection;
    const first = directionOf(text);
    if (!block || !first) return;
    const turns =
      this.#isAfterRightToLeft &&
      (first === 'ltr' || block.hasAttribute('dir')) &&
      hasRightToLeftLetter(text);
    const direction = turns ? 'rtl' : first;
    this.#isRightToLeft = direction === 'rtl';
    block.setAttribute('dir', direction);
    if (turns) block.classList.add('one-direction');
    if (this.#isRightToLeft || !this.#isAfterRightToLeft) this.#blockWithoutDirection = undefined;
  }

  #renderText(text: TextView): void {
    text.render();
    for (const view of [text, ...(text.cells ?? [])]) {
      if (view instanceof InlineView) this.#trackMissing(view);
    }
  }

  /** Records the missing link definitions and named character references that a text needs. */
  #trackMissing(view: InlineView): void {
    if (view.needsEntities && !this.#awaitingEntities.has(view)) {
      this.#awaitingEntities.add(view);
      if (this.#awaitingEntities.size === 1) void this.#loadEntities();
    }
    if (this.#notes) this.#areNotesInOrder = false;
    for (const label of view.takeMissing()) {
      const views = this.#viewsByUndefinedLabel.get(label) ?? new Set();
      this.#viewsByUndefinedLabel.set(label, views.add(view));
    }
  }

  async #loadEntities(): Promise<void> {
    const isLoaded = await extras()?.loadEntities();
    if (!isLoaded || currentViews.get(this.#root) !== this) return;
    for (const view of this.#awaitingEntities) this.#stale.add(view);
    this.#awaitingEntities.clear();
    changeContent(this.#root, () => this.flush(this.#hasEnded));
    this.#options.onEntitiesLoaded?.();
  }

  #create(block: Block): BlockView {
    switch (block.kind) {
      case 'paragraph':
        return this.#withInlines(createElement('p'));
      case 'quote':
        return container(createElement('blockquote', { part: 'quote' }));
      case 'list':
        return container(createList(block));
      case 'item':
        return this.#createItem();
      case 'rule':
        return container(createElement('hr', { part: 'rule' }));
      case 'heading':
        return this.#withInlines(createHeading(block.level));
      case 'note':
        return this.#createNote(block.label);
      default:
        return this.#createLazyBlock(block);
    }
  }

  #withInlines(element: HTMLElement): BlockView {
    return { element, content: element, text: new InlineView(element, this.#context) };
  }

  #createItem(): BlockView {
    const content = createElement('div');
    return { element: createElement('li', {}, content), content };
  }

  #createNote(label: string): BlockView {
    const module = extras();
    if (!module) return this.#withInlines(createElement('p'));
    this.#notes ??= new module.Footnotes(this.#options.strings);
    this.#areNotesInOrder = false;
    return this.#notes.add(label);
  }

  /**
   * Creates a block of a kind that the lazy-loaded module renders, such as a table, or a paragraph until
   * the module is loaded.
   */
  #createLazyBlock(block: Block): BlockView {
    const grantCells = (cells: number) => {
      const granted = Math.min(cells, this.#remainingPadCells);
      this.#remainingPadCells -= granted;
      return granted;
    };
    const view = extras()?.createRareBlock(block, this.#context, grantCells);
    return view ?? this.#withInlines(createElement('p'));
  }
}

const container = (element: HTMLElement): BlockView => ({ element, content: element });
