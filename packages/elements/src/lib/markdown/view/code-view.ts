/** Lines that share one block of the page. It bounds what the browser lays out again for a new line. */
const linesPerChunk = 50;

/**
 * Text that is shown as it is, growing at its end. It is spread over blocks of some lines each: in a
 * single one, the browser would lay out all lines again for each that arrives.
 */
export class CodeView {
  readonly #parent: Element;
  readonly #parts: string[] = [];
  #open = '';
  #chunk: Text | undefined;
  #lines = 0;

  constructor(parent: Element) {
    this.#parent = parent;
  }

  /** All of the text. */
  get text(): string {
    return this.#parts.join('');
  }

  append(text: string): void {
    this.#parts.push(text);
    this.#open += text;
  }

  render(): void {
    let from = 0;
    while (from < this.#open.length) {
      const end = this.#endOfChunk(from);
      const full = end < this.#open.length;
      this.#write(this.#open.slice(from, end));
      // The line end between two blocks is their border.
      from = full ? end + 1 : end;
      if (full) {
        this.#chunk = undefined;
        this.#lines = 0;
      }
    }
    this.#open = '';
  }

  #endOfChunk(from: number): number {
    for (let at = this.#open.indexOf('\n', from); at >= 0; at = this.#open.indexOf('\n', at + 1)) {
      this.#lines += 1;
      if (this.#lines === linesPerChunk) return at;
    }
    return this.#open.length;
  }

  #write(text: string): void {
    if (this.#chunk) {
      this.#chunk.appendData(text);
      return;
    }
    const block = document.createElement('span');
    block.className = 'lines';
    this.#chunk = document.createTextNode(text);
    block.append(this.#chunk);
    this.#parent.append(block);
  }
}
