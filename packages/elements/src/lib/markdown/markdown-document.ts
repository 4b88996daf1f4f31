import { BlockParser } from './syntax/block-parser.ts';
import type { Reference, Root } from './syntax/blocks.ts';
import { type DocumentOptions, DocumentView } from './view/document-view.ts';

/**
 * A Markdown text and its DOM. Complete text is rendered by the same code as streaming text, as a
 * single piece.
 */
export class MarkdownDocument {
  readonly #parser: BlockParser;
  readonly #view: DocumentView;
  #text = '';
  #ended = false;

  /** Clears `content` and renders into it. */
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
   * @returns False if the text does not continue the current text: a new document is needed then.
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

  /** The element to which text was added last. */
  get latest(): Element | undefined {
    return this.#view.latest;
  }

  /** Returns the definition of a normalized label. */
  reference(label: string): Reference | undefined {
    return this.#view.reference(label);
  }

  /** Returns the code of the code block that is rendered as `element`. */
  codeOf(element: Element): string | undefined {
    return this.#view.codeOf(element);
  }
}
