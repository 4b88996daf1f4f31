import { BlockParser } from './syntax/block-parser.ts';
import type { Reference, Root } from './syntax/blocks.ts';
import { type DocumentOptions, DocumentView } from './view/document-view.ts';

/**
 * A Markdown text and its DOM. Streaming and complete text use the same code: complete text is text
 * that arrives in one piece.
 */
export class MarkdownDocument {
  readonly #parser: BlockParser;
  readonly #view: DocumentView;
  #text = '';
  #ended = false;

  /** Empties `content` and writes into it. */
  constructor(content: Element, options: DocumentOptions) {
    content.replaceChildren();
    const root: Root = { kind: 'root', startLine: 0, endLine: 0, lastChildEnd: undefined };
    this.#view = new DocumentView(content, root, options);
    this.#parser = new BlockParser(this.#view, root);
  }

  /**
   * Renders a text.
   *
   * @param streaming - Whether more text may follow.
   * @returns False if the text does not continue the current one: a new document is needed then.
   */
  update(text: string, streaming: boolean): boolean {
    if (!text.startsWith(this.#text)) return false;
    if (this.#ended && (streaming || text.length > this.#text.length)) return false;
    this.#parser.write(text.slice(this.#text.length));
    this.#text = text;
    if (!streaming && !this.#ended) {
      this.#parser.end();
      this.#ended = true;
    }
    this.#view.flush(this.#ended);
    return true;
  }

  /** The element that the latest text went to. */
  get latest(): Element | undefined {
    return this.#view.latest;
  }

  /** The definition of a normalised label. */
  reference(label: string): Reference | undefined {
    return this.#view.reference(label);
  }

  /** The text of the block of code that `element` stands for. */
  codeOf(element: Element): string | undefined {
    return this.#view.codeOf(element);
  }
}
