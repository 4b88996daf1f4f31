import type { Entry } from '@inlay/client';
import { bisect } from './reading-line.ts';

/** Estimated height of a line of text, in CSS pixels. */
const lineHeight = 23;
const characterWidth = 7.2;
/** Longest line of an agent message in characters, and the share of it that a user message takes. */
const longestLine = 70;
const userMessageShare = 0.7;
/** Estimated height around the text of a row, in CSS pixels. */
const frameHeight = { user: 60, agent: 60, thinking: 34, tool: 52, notice: 64, card: 200 };

/** Estimates the height of a row from the length of its text, in CSS pixels. */
function estimateHeight(entry: Entry, width: number): number {
  const line = Math.max(12, Math.min(longestLine, width / characterWidth));
  if (entry.kind === 'user') {
    return frameHeight.user + lineHeight * Math.ceil(entry.text.length / (line * userMessageShare));
  }
  if (entry.kind === 'agent') return frameHeight.agent + lineHeight * (entry.text.length / line);
  return frameHeight[entry.kind];
}

/** Row heights: measured for rows that were rendered, estimated for the others. */
export class RowHeights {
  readonly #measured = new Map<string, number>();
  readonly #places = new Map<string, number>();
  #entries: readonly Entry[] = [];
  #width = 600;
  /** Distance from the top of the first row to the end of each row, in CSS pixels. */
  #ends: number[] = [];

  /** Updates the list. Rows before the first change are not computed again. */
  update(entries: readonly Entry[]) {
    const before = this.#entries;
    let unchanged = 0;
    while (unchanged < entries.length && entries[unchanged]?.key === before[unchanged]?.key)
      unchanged += 1;
    this.#entries = entries;
    if (unchanged === entries.length && unchanged === before.length) return;
    for (let index = unchanged; index < before.length; index += 1) {
      this.#places.delete(before[index]?.key ?? '');
    }
    for (let index = unchanged; index < entries.length; index += 1) {
      this.#places.set(entries[index]?.key ?? '', index);
    }
    this.#ends.length = Math.min(this.#ends.length, unchanged);
  }

  /** Discards all measurements, because the list or its width changed. */
  reset(width = this.#width) {
    this.#width = width;
    this.#measured.clear();
    this.#ends = [];
  }

  get width(): number {
    return this.#width;
  }

  /** Index of an entry; -1 if it is not in the list. */
  indexOf(key: string): number {
    return this.#places.get(key) ?? -1;
  }

  measured(key: string, height: number) {
    if (this.#measured.get(key) === height) return;
    this.#measured.set(key, height);
    this.#ends.length = Math.min(this.#ends.length, Math.max(0, this.indexOf(key)));
  }

  /** Distance from the top of the first row to the top of a row, in CSS pixels. */
  topOf(index: number): number {
    for (let at = this.#ends.length; at < index; at += 1) {
      const entry = this.#entries[at];
      const height = entry
        ? (this.#measured.get(entry.key) ?? estimateHeight(entry, this.#width))
        : 0;
      this.#ends.push((this.#ends[at - 1] ?? 0) + height);
    }
    return index > 0 ? (this.#ends[index - 1] ?? 0) : 0;
  }

  /** Index of the row at a distance from the top of the first row, in CSS pixels. */
  indexAt(offset: number): number {
    const { length } = this.#entries;
    this.topOf(length);
    return Math.min(
      bisect(length, (index) => (this.#ends[index] ?? 0) > offset),
      Math.max(0, length - 1),
    );
  }
}
