const isSpace = (char: string | undefined) => char === ' ' || char === '\t';

/**
 * A line with a cursor behind the part that its containers have consumed. Columns differ from
 * characters by tabs only, which extend to the next multiple of four and may be consumed in part.
 */
export class Line {
  readonly text: string;
  /** Index of the next character that is not white space. */
  next = 0;
  /** Columns of white space between the cursor and `next`. */
  indent = 0;
  #position = 0;
  #column = 0;
  #insideTab = false;

  constructor(text: string) {
    this.text = text;
    this.#measure();
  }

  /** Nothing but white space is left. */
  get blank(): boolean {
    return this.next >= this.text.length;
  }

  /** The column of the cursor. */
  get column(): number {
    return this.#column;
  }

  /** What is left, without the white space before it. */
  get content(): string {
    return this.text.slice(this.next);
  }

  /** What is left, with the white space before it; a tab eaten in part gives its remaining spaces. */
  get rest(): string {
    if (!this.#insideTab) return this.text.slice(this.#position);
    return ' '.repeat(4 - (this.#column % 4)) + this.text.slice(this.#position + 1);
  }

  /** Eats white space, `columns` of it at most. */
  skipColumns(columns: number): void {
    let left = columns;
    while (left > 0 && isSpace(this.text[this.#position])) {
      const width = this.text[this.#position] === '\t' ? 4 - (this.#column % 4) : 1;
      this.#insideTab = width > left;
      this.#column += Math.min(width, left);
      if (!this.#insideTab) this.#position += 1;
      left -= width;
    }
    this.#measure();
  }

  /** Eats the white space before the next character, and then `count` characters. */
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
