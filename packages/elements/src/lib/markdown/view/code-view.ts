import { CodeHighlight } from './code-highlight.ts';

/** Lines that share one block of the page. It bounds what the browser lays out again for a new line. */
const linesPerChunk = 50;

/** Some lines, in an element of their own. */
interface Chunk {
  readonly element: HTMLElement;
  /** Where it begins in the whole text. */
  readonly start: number;
  length: number;
  /** Nothing is added to it any more. */
  full: boolean;
  /** It was painted when it was full. */
  painted: boolean;
}

/**
 * Text that is shown as it is, growing at its end. It is spread over blocks of some lines each: in a
 * single one, the browser would lay out all lines again for each that arrives.
 */
export class CodeView {
  readonly root: Element;
  readonly #highlight: CodeHighlight | undefined;
  readonly #parts: string[] = [];
  #open = '';
  #chunk: Chunk | undefined;
  #unpainted: Chunk[] = [];
  #lines = 0;
  /** Characters that are in the page. */
  length = 0;
  /** Nothing more will come. */
  isComplete = false;

  /** Writes into `root`; with the colours of a `language`, if it is given and known. */
  constructor(root: Element, language = '') {
    this.root = root;
    this.#highlight = language ? new CodeHighlight(this, language) : undefined;
  }

  /** All of the text. */
  get text(): string {
    return this.#parts.join('');
  }

  /** Every line has its colours. */
  get painted(): boolean {
    return this.#unpainted.length === 0;
  }

  append(text: string): void {
    this.#parts.push(text);
    this.#open += text;
  }

  complete(): void {
    this.isComplete = true;
    if (this.#chunk) this.#chunk.full = true;
  }

  render(): void {
    let from = 0;
    while (from < this.#open.length) {
      const end = this.#endOfChunk(from);
      const full = end < this.#open.length;
      this.#write(this.#open.slice(from, end));
      // The line end between two blocks is their border.
      from = full ? end + 1 : end;
      if (full) this.#endChunk();
    }
    this.#open = '';
    if (this.isComplete && this.#chunk) this.#chunk.full = true;
    this.#highlight?.update();
  }

  /** Fills the lines that are not painted for good with what `nodesOf` makes of their text. */
  paint(nodesOf: (from: number, to: number) => readonly Node[]): void {
    for (const chunk of this.#unpainted) {
      chunk.element.replaceChildren(...nodesOf(chunk.start, chunk.start + chunk.length));
      chunk.painted = chunk.full;
    }
    this.#unpainted = this.#unpainted.filter((chunk) => !chunk.painted);
  }

  #endOfChunk(from: number): number {
    for (let at = this.#open.indexOf('\n', from); at >= 0; at = this.#open.indexOf('\n', at + 1)) {
      this.#lines += 1;
      if (this.#lines === linesPerChunk) return at;
    }
    return this.#open.length;
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
    const chunk = { element, start: this.length, length: 0, full: false, painted: false };
    if (this.#highlight) this.#unpainted.push(chunk);
    return chunk;
  }
}
