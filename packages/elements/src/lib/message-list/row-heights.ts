import type { Entry } from '@inlay/client';
import { bisect } from './reading-line.ts';

/** What a line of text takes, in pixels, where nothing has been measured yet. */
const lineHeight = 23;
const characterWidth = 7.2;
/** The longest line of an answer, and the share of it that a question takes, in characters. */
const longestLine = 70;
const questionShare = 0.7;
/** What stands around the text of a row, in pixels. */
const around = { user: 60, agent: 60, thinking: 34, tool: 52, notice: 64, card: 200 };

/** What a row will be as tall as, in pixels, guessed by its text. */
function guess(entry: Entry, width: number): number {
  const line = Math.max(12, Math.min(longestLine, width / characterWidth));
  if (entry.kind === 'user') {
    return around.user + lineHeight * Math.ceil(entry.text.length / (line * questionShare));
  }
  if (entry.kind === 'agent') return around.agent + lineHeight * (entry.text.length / line);
  return around[entry.kind];
}

/** How tall each entry's row is: measured where it was on screen, guessed where it was not. */
export class RowHeights {
  readonly #measured = new Map<string, number>();
  readonly #places = new Map<string, number>();
  #entries: readonly Entry[] = [];
  #width = 600;
  /** Where each row ends, in pixels from the first one's top. */
  #ends: number[] = [];

  /** Takes another list. What comes before the first change is not gone through again. */
  update(entries: readonly Entry[]) {
    const before = this.#entries;
    let same = 0;
    while (same < entries.length && entries[same]?.key === before[same]?.key) same += 1;
    this.#entries = entries;
    if (same === entries.length && same === before.length) return;
    for (let index = same; index < before.length; index += 1) {
      this.#places.delete(before[index]?.key ?? '');
    }
    for (let index = same; index < entries.length; index += 1) {
      this.#places.set(entries[index]?.key ?? '', index);
    }
    this.#ends.length = Math.min(this.#ends.length, same);
  }

  /** Forgets what was measured: the list is another one, or as wide as it never was. */
  reset(width = this.#width) {
    this.#width = width;
    this.#measured.clear();
    this.#ends = [];
  }

  get width(): number {
    return this.#width;
  }

  /** Where an entry stands in the list; -1 where it does not. */
  indexOf(key: string): number {
    return this.#places.get(key) ?? -1;
  }

  measured(key: string, height: number) {
    if (this.#measured.get(key) === height) return;
    this.#measured.set(key, height);
    this.#ends.length = Math.min(this.#ends.length, Math.max(0, this.indexOf(key)));
  }

  /** How far the top of a row is below the first one's, in pixels. */
  topOf(index: number): number {
    for (let at = this.#ends.length; at < index; at += 1) {
      const entry = this.#entries[at];
      const height = entry ? (this.#measured.get(entry.key) ?? guess(entry, this.#width)) : 0;
      this.#ends.push((this.#ends[at - 1] ?? 0) + height);
    }
    return index > 0 ? (this.#ends[index - 1] ?? 0) : 0;
  }

  /** The row that covers a place so many pixels below the first one's top. */
  indexAt(offset: number): number {
    const { length } = this.#entries;
    this.topOf(length);
    return Math.min(
      bisect(length, (index) => (this.#ends[index] ?? 0) > offset),
      Math.max(0, length - 1),
    );
  }
}
