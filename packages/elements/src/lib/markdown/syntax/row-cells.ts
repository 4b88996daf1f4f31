/**
 * Splits a streaming row of a table into cells. An escaped pipe is part of its cell. White space around
 * the text of a cell is omitted, so it is held back until more text of the cell follows.
 */
export class RowCells {
  readonly #write: (cell: number, text: string) => void;
  #cell = 0;
  /** Text of the cell that is not written yet. */
  #pending = '';
  /** Whether the cell has text. */
  #hasText = false;
  /** Whether the row has any characters. */
  #isStarted = false;
  #isEscaped = false;

  /** `write` is called with text that is appended to a cell; for an empty cell, with an empty string. */
  constructor(write: (cell: number, text: string) => void) {
    this.#write = write;
  }

  /** Adds the next piece of the row. */
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
    // The pipe at the start of the row does not end a cell.
    if (!this.#isStarted) return;
    if (!this.#hasText) this.#write(this.#cell, '');
    this.#cell += 1;
    this.#hasText = false;
  }

  #flush(): void {
    const text = this.#hasText ? this.#pending : this.#pending.trimStart();
    const trimmed = text.trimEnd();
    this.#pending = text.slice(trimmed.length);
    if (!trimmed) return;
    this.#hasText = true;
    this.#write(this.#cell, trimmed);
  }
}
