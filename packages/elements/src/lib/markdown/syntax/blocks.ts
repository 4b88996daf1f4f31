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
  /** Set when the first line says that the quote is an alert of GitHub's, such as `[!NOTE]`. */
  alert: Alert | undefined;
}

export type Alert = 'note' | 'tip' | 'important' | 'warning' | 'caution';

/** `<details>`: blocks that are shown when the user opens them. */
export interface Details extends ContainerBase {
  readonly kind: 'details';
  /** It has its summary. */
  summarized: boolean;
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
  /** Its normalised label, with its caret. */
  readonly label: string;
}

export interface Paragraph extends BlockBase {
  readonly kind: 'paragraph';
  text: string;
  /** Text that may yet turn out to be a reference definition or the header of a table. */
  held: string;
  /** Everything so far may be reference definitions. */
  maybeDefinition: boolean;
}

/** The visible part of closed `<details>`. */
export interface Summary extends BlockBase {
  readonly kind: 'summary';
  /** It has no text yet. */
  empty: boolean;
}

/** An HTML comment that begins a line. It is not shown, and no sink hears of it. */
export interface Comment extends BlockBase {
  readonly kind: 'comment';
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

export type Container = Root | Quote | Details | List | Item | Note;
export type Leaf = Paragraph | Summary | Heading | Code | MathBlock | Row | Plain;
export type Block = Container | Leaf | Rule | Table | Comment;

/** Receives every change of the document, in order. */
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
  /** A quote turned out to be an alert. */
  alert(quote: Quote): void;
  /** `[label]` has an address now. The first definition of a label stands. */
  define(label: string, reference: Reference): void;
}

export interface Reference {
  readonly href: string;
  readonly title: string | undefined;
  /** For a footnote, its normalised label. */
  readonly note?: string;
}

const containers: ReadonlySet<Block['kind']> = new Set([
  'root',
  'quote',
  'details',
  'list',
  'item',
  'note',
]);

export function isContainer(block: Block): block is Container {
  return containers.has(block.kind);
}

const leaves: ReadonlySet<Block['kind']> = new Set([
  'paragraph',
  'summary',
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
