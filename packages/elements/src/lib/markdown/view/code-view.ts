import { CodeHighlight } from './code-highlight.ts';

/** Maximum number of lines of a chunk. For a new line, the browser lays out the last chunk again. */
const linesPerChunk = 50;

/** An element with consecutive lines. */
interface Chunk {
  readonly element: HTMLElement;
  /** Position of its first character in the text. */
  readonly start: number;
  length: number;
  /** Whether no more text is appended to it. */
  full: boolean;
  /** Whether its complete text is highlighted. */
  highlighted: boolean;
}

/**
 * Code or other plain text to which text can be appended. Its lines are divided into chunks: in a
 * single element, the browser would lay out all lines again for each new line.
 */
export class CodeView {
  readonly root: Element;
  readonly #highlight: CodeHighlight | undefined;
  readonly #parts: string[] = [];
  /** Text that is not rendered yet. */
  #pending = '';
  #chunk: Chunk | undefined;
  #unhighlighted: Chunk[] = [];
  /** Number of lines of the last chunk. */
  #lines = 0;
  /** Number of rendered characters. */
  length = 0;
  /** Whether the text is complete. */
  isComplete = false;

  /** Renders into `root`. Code in a supported `language` is highlighted. */
  constructor(root: Element, language = '') {
    this.root = root;
    this.#highlight = language ? new CodeHighlight(this, language) : undefined;
  }

  get text(): string {
    return this.#parts.join('');
  }

  /** Whether all lines are highlighted. */
  get highlighted(): boolean {
    return this.#unhighlighted.length === 0;
  }

  append(text: string): void {
    this.#parts.push(text);
    this.#pending += text;
  }

  complete(): void {
    this.isComplete = true;
    if (this.#chunk) this.#chunk.full = true;
  }

  render(): void {
    let from = 0;
    while (from < this.#pending.length) {
      const end = this.#endOfChunk(from);
      const full = end < this.#pending.length;
      this.#write(this.#pending.slice(from, end));
      // Chunks are blocks, so the line feed between two of them is omitted.
      from = full ? end + 1 : end;
      if (full) this.#endChunk();
    }
    this.#pending = '';
    if (this.isComplete && this.#chunk) this.#chunk.full = true;
    this.#highlight?.update();
  }

  /**
   * Replaces the content of the chunks that were incomplete when they were last highlighted.
   *
   * @param nodesOf - Creates the nodes for a part of the text.
   */
  highlight(nodesOf: (from: number, to: number) => readonly Node[]): void {
    for (const chunk of this.#unhighlighted) {
      chunk.element.replaceChildren(...nodesOf(chunk.start, chunk.start + chunk.length));
      chunk.highlighted = chunk.full;
    }
    this.#unhighlighted = this.#unhighlighted.filter((chunk) => !chunk.highlighted);
  }

  #endOfChunk(from: number): number {
    const text = this.#pending;
    for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', end + 1)) {
      this.#lines += 1;
      if (this.#lines === linesPerChunk) return end;
    }
    return text.length;
  }

  #endChunk(): void {
    if (this.#chunk) this.#chunk.full = true;
    this.#chunk = undefined;
    this.#lines = 0;
    this.length += 1;
  }

  #write(text: string): void {
    this.#chunk ??= this.#createChunk();
    const { element } = this.#chunk;
    const last = element.lastChild;
    if (last instanceof Text) last.appendData(text);
    else element.append(text);
    this.#chunk.length += text.length;
    this.length += text.length;
  }

  #createChunk(): Chunk {
    const element = document.createElement('span');
    element.className = 'lines';
    this.root.append(element);
    const chunk = { element, start: this.length, length: 0, full: false, highlighted: false };
    if (this.#highlight) this.#unhighlighted.push(chunk);
    return chunk;
  }
}
