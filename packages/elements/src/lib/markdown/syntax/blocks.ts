/**
 * The blocks of a Markdown text. The parser stores only open blocks, and reports each change to a
 * `BlockSink`.
 */

interface BlockBase {
  /** Number of the line on which the block starts. */
  readonly startLine: number;
  /** Number of the last line that belongs to the block. */
  endLine: number;
}

interface ContainerBase extends BlockBase {
  /**
   * Number of the last line of the child that was closed last. If blank lines follow before the next
   * child, the list is loose.
   */
  lastChildEnd: number | undefined;
}

export interface Root extends ContainerBase {
  readonly kind: 'root';
}

export interface Quote extends ContainerBase {
  readonly kind: 'quote';
  /** Kind of alert, if the first line is a marker such as `[!NOTE]`. */
  alert: Alert | undefined;
}

export type Alert = 'note' | 'tip' | 'important' | 'warning' | 'caution';

/** A `<details>` element. */
export interface Details extends ContainerBase {
  readonly kind: 'details';
  /** Whether it has a summary. */
  summarized: boolean;
}

export interface List extends ContainerBase {
  readonly kind: 'list';
  readonly ordered: boolean;
  /** The bullet, or the character after the number. An item with another delimiter starts a new list. */
  readonly delimiter: string;
  readonly start: number;
  loose: boolean;
}

export interface Item extends ContainerBase {
  readonly kind: 'item';
  /** Number of columns by which a line of the item must be indented. */
  readonly contentIndent: number;
  /** State of a task list item; undefined for other items. */
  task: 'open' | 'done' | undefined;
}

/** A footnote. */
export interface Note extends ContainerBase {
  readonly kind: 'note';
  /** Its normalized label, including the caret. */
  readonly label: string;
}

export interface Paragraph extends BlockBase {
  readonly kind: 'paragraph';
  text: string;
  /** Text that may become a reference definition or the header of a table, and is not rendered yet. */
  held: string;
  /** Whether all of the text so far may be reference definitions. */
  maybeDefinition: boolean;
}

/** A `<summary>` element. */
export interface Summary extends BlockBase {
  readonly kind: 'summary';
  /** Whether it has no text yet. */
  empty: boolean;
}

/** An HTML comment that starts a line. It is not reported to the sink. */
export interface Comment extends BlockBase {
  readonly kind: 'comment';
}

export interface Heading extends BlockBase {
  readonly kind: 'heading';
  readonly level: number;
  /** Trailing white space and `#`, which belong to the text only if more text follows. */
  held: string;
  empty: boolean;
}

export interface Code extends BlockBase {
  readonly kind: 'code';
  /** The opening fence; undefined for an indented block. */
  readonly fence: { readonly mark: string; readonly indent: number } | undefined;
  readonly language: string;
  /** The fences of code blocks within Markdown that are not closed yet. */
  readonly innerFences: string[];
  /** Trailing line ends, which belong to the code only if another line follows. */
  held: string;
}

/** A formula that is a block. */
export interface MathBlock extends BlockBase {
  readonly kind: 'math';
  /** Its closing delimiter; of an environment, `\\end{…}`, which is part of its text. */
  readonly closer: string;
  /** Whether the closing delimiter was found. */
  closed: boolean;
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

/** Plain text after the limits of Markdown were exceeded. */
export interface Plain extends BlockBase {
  readonly kind: 'plain';
}

export type Container = Root | Quote | Details | List | Item | Note;
export type Leaf = Paragraph | Summary | Heading | Code | MathBlock | Row | Plain;
export type Block = Container | Leaf | Rule | Table | Comment;

/** Receives the changes of the document in order. */
export interface BlockSink {
  /** Appends a block to its parent. */
  open(block: Block, parent: Block): void;
  /** Appends text to a leaf. */
  append(leaf: Leaf, text: string): void;
  /** Marks a block as complete. */
  close(block: Block): void;
  /**
   * Removes a block that is converted to another kind or opened again with a shorter text, or a paragraph
   * that contains only definitions.
   */
  remove(block: Block): void;
  /** Makes a list loose. */
  loosen(list: List): void;
  /** Makes a list item a task, whose state is `item.task`. */
  makeTask(item: Item): void;
  /** Makes a blockquote an alert, whose kind is `quote.alert`. */
  makeAlert(quote: Quote): void;
  /** Defines a reference. If a label is defined several times, the first definition applies. */
  define(label: string, reference: Reference): void;
}

export interface Reference {
  readonly href: string;
  readonly title: string | undefined;
  /** For a footnote, its normalized label. */
  readonly note?: string;
  /** Whether the definition may still follow. Until then, a link is shown as text and a footnote is hidden. */
  readonly pending?: boolean;
}

/** The definition of a reference at the start of a paragraph. */
export interface Definition extends Reference {
  readonly label: string;
  /** Index after the definition. */
  readonly end: number;
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
