/**
 * Takes a row of a table apart into its cells while it arrives. A pipe after a backslash belongs to its
 * cell. White space around a cell does not, so it is kept back until text follows it.
 */
export class RowCells {
  readonly #write: (cell: number, text: string) => void;
  #cell = 0;
  /** Text of the cell that was not written yet. */
  #pending = '';
  /** The cell has text. */
  #hasText = false;
  /** Something stands in the row. */
  #isStarted = false;
  #isEscaped = false;

  /** `write` is called with what is added to a cell, and with no text for an empty cell. */
  constructor(write: (cell: number, text: string) => void) {
    this.#write = write;
  }

  /** Takes the next piece of the row. */
  add(piece: string): void {
    for (const char of piece) {
      if (this.#isEscaped) {
        this.#pending += char === '|' ? char : `\\${char}`;
        this.#isEscaped = false;
      } else if (char === '\\') this.#isEscaped = true;
      else if (char === '|') this.#endCell();
      else this.#pending += char;
      this.#isStarted = true;
    }
    this.#flush();
  }

  /** Ends the row. */
  end(): void {
    if (this.#isEscaped) this.#pending += '\\';
    this.#flush();
  }

  #endCell(): void {
    this.#flush();
    this.#pending = '';
    // A pipe before everything begins the first cell.
    if (!this.#isStarted) return;
    if (!this.#hasText) this.#write(this.#cell, '');
    this.#cell += 1;
    this.#hasText = false;
  }

  #flush(): void {
    const text = this.#hasText ? this.#pending : this.#pending.trimStart();
    const shown = text.trimEnd();
    this.#pending = text.slice(shown.length);
    if (!shown) return;
    this.#hasText = true;
    this.#write(this.#cell, shown);
  }
}
