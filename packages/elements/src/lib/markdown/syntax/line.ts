const isSpace = (char: string | undefined) => char === ' ' || char === '\t';

/**
 * A line of Markdown, with a cursor that the parser moves past the markers of container blocks. A
 * character takes one column; a tab extends to the next multiple of four, and may be skipped in part.
 */
export class Line {
  readonly text: string;
  /** Index of the next character that is not white space. */
  next = 0;
  /** Number of columns between the cursor and `next`. */
  indent = 0;
  #position = 0;
  #column = 0;
  #insideTab = false;

  constructor(text: string) {
    this.text = text;
    this.#measure();
  }

  /** Whether the rest is only white space. */
  get blank(): boolean {
    return this.next >= this.text.length;
  }

  /** Column of the cursor. */
  get column(): number {
    return this.#column;
  }

  /** The rest without leading white space. */
  get content(): string {
    return this.text.slice(this.next);
  }

  /** The rest with leading white space. A tab that was skipped in part is converted to spaces. */
  get rest(): string {
    if (!this.#insideTab) return this.text.slice(this.#position);
    return ' '.repeat(4 - (this.#column % 4)) + this.text.slice(this.#position + 1);
  }

  /** Skips at most `columns` columns of white space. */
  skipColumns(columns: number): void {
    let remaining = columns;
    while (remaining > 0 && isSpace(this.text[this.#position])) {
      const width = this.text[this.#position] === '\t' ? 4 - (this.#column % 4) : 1;
      this.#insideTab = width > remaining;
      this.#column += Math.min(width, remaining);
      if (!this.#insideTab) this.#position += 1;
      remaining -= width;
    }
    this.#measure();
  }

  /** Skips the white space before the next character, and then `count` characters. */
  skipMarker(count: number): void {
    this.#column += this.indent + count;
    this.#position = this.next + count;
    this.#insideTab = false;
    this.#measure();
  }

  #measure(): void {
    let position = this.#position;
    let column = this.#column;
    while (isSpace(this.text[position])) {
      column += this.text[position] === '\t' ? 4 - (column % 4) : 1;
      position += 1;
    }
    this.next = position;
    this.indent = column - this.#column;
  }
}
