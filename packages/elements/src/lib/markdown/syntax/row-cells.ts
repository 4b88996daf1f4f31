import { scanCellFormula } from './cell-formula.ts';

/**
 * Splits a streaming row of a table into cells. An escaped pipe is part of its cell, and so is a pipe in
 * a formula. White space around the text of a cell is omitted, so it is held back until more text of the
 * cell follows.
 */
export class RowCells {
  readonly #write: (cell: number, text: string) => void;
  #cell = 0;
  /** Text of the row that is not split yet. */
  #rest = '';
  /** Text of the cell that is not written yet. */
  #pending = '';
  /** The last character of the row that was split. */
  #last = '';
  /** Whether the cell has text. */
  #hasText = false;

  /** `write` is called with text that is appended to a cell; for an empty cell, with an empty string. */
  constructor(write: (cell: number, text: string) => void) {
    this.#write = write;
  }

  /** Adds the next piece of the row. */
  add(piece: string): void {
    this.#rest += piece;
    this.#split(false);
    this.#flush();
  }

  /** Ends the row. */
  end(): void {
    this.#split(true);
    this.#flush();
  }

  #split(isComplete: boolean): void {
    const text = this.#rest;
    let index = 0;
    while (index < text.length) {
      const char = text[index] ?? '';
      const formulaEnd = scanCellFormula(text, index, this.#last, isComplete);
      if (formulaEnd === 'open' || (char === '\\' && index + 1 === text.length && !isComplete))
        break;
      if (char === '|' && !formulaEnd) this.#endCell();
      else {
        const end = formulaEnd ?? index + (char === '\\' ? 2 : 1);
        this.#pending += text.slice(index, end).replaceAll('\\|', '|');
        index = end - 1;
      }
      this.#last = text[index] ?? '\\';
      index += 1;
    }
    this.#rest = text.slice(index);
  }

  #endCell(): void {
    this.#flush();
    this.#pending = '';
    // The pipe at the start of the row does not end a cell.
    if (this.#last === '') return;
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

/** Splits a complete row of a table into cells. */
export function splitCells(line: string): string[] {
  const cells: string[] = [];
  const row = new RowCells((cell, text) => {
    cells[cell] = (cells[cell] ?? '') + text;
  });
  row.add(line);
  row.end();
  return cells;
}
