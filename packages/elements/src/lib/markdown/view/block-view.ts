import type { Block, Reference } from '../syntax/blocks.ts';
import type { RenderOptions } from './render-options.ts';

/** Rendered text of an open block. It grows while the document streams. */
export interface TextView {
  append(text: string): void;
  /** Marks the text as complete. */
  complete(block: Block): void;
  render(): void;
  /** The text of a code block. */
  readonly text?: string;
  /** The cells of a table row. */
  readonly cells?: readonly TextView[];
}

/** DOM of an open block. */
export interface BlockView {
  readonly element: Element;
  /** Element that contains the block's children. */
  readonly content: Element;
  readonly text?: TextView | undefined;
  /** Other texts of the block, such as the header cells of a table. */
  readonly texts?: readonly TextView[];
}

/** Options for the inline content of the blocks of a document. */
export interface InlineContext extends RenderOptions {
  /** Returns the definition of a normalized label. */
  reference(label: string): Reference | undefined;
  /** Whether the complete document has arrived. */
  isComplete(): boolean;
}
