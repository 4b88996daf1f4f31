/**
 * The blocks of a Markdown text. The parser keeps only those that are open, and hands every change
 * to a `BlockSink`; what is closed is the sink's alone.
 */

interface BlockBase {
  /** Number of the line on which the block starts. */
  readonly startLine: number;
  /** Number of the last line that belongs to it. */
  endLine: number;
}

interface ContainerBase extends BlockBase {
  /** Last line of the latest closed child: a gap after it makes a list loose. */
  lastChildEnd: number | undefined;
}

export interface Root extends ContainerBase {
  readonly kind: 'root';
}

export interface Quote extends ContainerBase {
  readonly kind: 'quote';
}

export interface List extends ContainerBase {
  readonly kind: 'list';
  readonly ordered: boolean;
  /** The bullet, or the character after the number. Another one starts another list. */
  readonly delimiter: string;
  readonly start: number;
  loose: boolean;
}

export interface Item extends ContainerBase {
  readonly kind: 'item';
  /** Columns that a line must be indented by to belong to the item. */
  readonly contentIndent: number;
  /** The box of a task list item, once it is known to be one. */
  task: 'open' | 'done' | undefined;
}

/** A footnote: what `[^label]` refers to. */
export interface Note extends ContainerBase {
  readonly kind: 'note';
  /** Its place among the footnotes, from 1. */
  readonly number: number;
}

export interface Paragraph extends BlockBase {
  readonly kind: 'paragraph';
  text: string;
  /** Text that may yet turn out to be a reference definition or the header of a table. */
  held: string;
  /** Everything so far may be reference definitions. */
  maybeDefinition: boolean;
}

export interface Heading extends BlockBase {
  readonly kind: 'heading';
  readonly level: number;
  /** White space and `#` at the end, which belong to the text only if more text follows. */
  held: string;
  empty: boolean;
}

export interface Code extends BlockBase {
  readonly kind: 'code';
  /** The fence that opened it; an indented block has none. */
  readonly fence: { readonly mark: string; readonly indent: number } | undefined;
  readonly language: string;
  /** Line ends that count only if another line of code follows. */
  held: string;
}

/** A formula with lines of its own. */
export interface MathBlock extends BlockBase {
  readonly kind: 'math';
  readonly closer: '$$' | '\\]';
  /** Its end was found. */
  whole: boolean;
}

export interface Rule extends BlockBase {
  readonly kind: 'rule';
}

export type Alignment = 'left' | 'center' | 'right' | undefined;

export interface Table extends BlockBase {
  readonly kind: 'table';
  readonly alignments: readonly Alignment[];
  readonly header: readonly string[];
}

export interface Row extends BlockBase {
  readonly kind: 'row';
  readonly table: Table;
}

/** What follows a text that is too long to be read as Markdown. */
export interface Plain extends BlockBase {
  readonly kind: 'plain';
}

export type Container = Root | Quote | List | Item | Note;
export type Leaf = Paragraph | Heading | Code | MathBlock | Row | Plain;
export type Block = Container | Leaf | Rule | Table;

/** Hears of every change of the document, in order. */
export interface BlockSink {
  /** `block` was added at the end of `parent`. */
  open(block: Block, parent: Block): void;
  /** `text` was added at the end of `leaf`. */
  append(leaf: Leaf, text: string): void;
  /** Nothing more will come for `block`. */
  close(block: Block): void;
  /** `block` turned out to be something else. */
  remove(block: Block): void;
  /** All text of a paragraph so far is replaced: its last line was the header of a table. */
  rewrite(paragraph: Paragraph, text: string): void;
  /** A list turned out to be loose. */
  loosen(list: List): void;
  /** A list item turned out to be a task. */
  mark(item: Item): void;
  /** `[label]` has an address now. The first definition of a label stands. */
  define(label: string, reference: Reference): void;
}

export interface Reference {
  readonly href: string;
  readonly title: string | undefined;
  /** For a footnote, its number. */
  readonly note?: number;
}

const containers: ReadonlySet<Block['kind']> = new Set(['root', 'quote', 'list', 'item', 'note']);

export function isContainer(block: Block): block is Container {
  return containers.has(block.kind);
}

const leaves: ReadonlySet<Block['kind']> = new Set([
  'paragraph',
  'heading',
  'code',
  'math',
  'row',
  'plain',
]);

export function isLeaf(block: Block): block is Leaf {
  return leaves.has(block.kind);
}

export function canContain(parent: Block, child: Block): boolean {
  if (child.kind === 'item') return parent.kind === 'list';
  if (child.kind === 'row') return parent.kind === 'table';
  return isContainer(parent) && parent.kind !== 'list';
}
