import { BlockParser } from './syntax/block-parser.ts';
import type { Reference, Root } from './syntax/blocks.ts';
import { type DocumentOptions, DocumentView } from './view/document-view.ts';

/**
 * A text and its elements in the page. History and live answers take the same way through it: a text
 * that is there at once is one that arrived in a single piece.
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
   * Shows `text`, to which more may be added if it is `streaming`. Gives `false` when it is not a
   * continuation of what is shown: then it takes a new document.
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
