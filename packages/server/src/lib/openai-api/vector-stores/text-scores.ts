import { termsOf } from '../../events/search-terms.ts';

/** Parameters of BM25: saturation of repeated terms, and influence of the length of a text. */
const saturation = 1.2;
const lengthInfluence = 0.75;

/**
 * Scores of texts for the terms of a query, from 0 to 1. They follow BM25, divided by the maximum
 * that a text can reach, so that a threshold means the same for all queries. The rarity of a term is
 * that among the added texts. The score does not depend on the database engine.
 */
export class TextScores {
  readonly #terms: ReadonlySet<string>;
  readonly #texts = new Map<number, { counts: ReadonlyMap<string, number>; length: number }>();
  readonly #found = new Map<string, number>();
  #length = 0;

  constructor(terms: readonly string[]) {
    this.#terms = new Set(terms);
  }

  /** Adds a text. Call it for all texts before `of`. */
  add(id: number, text: string): void {
    const counts = new Map<string, number>();
    const terms = termsOf(text);
    for (const term of terms) {
      if (this.#terms.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    for (const term of counts.keys()) this.#found.set(term, (this.#found.get(term) ?? 0) + 1);
    this.#texts.set(id, { counts, length: terms.length });
    this.#length += terms.length;
  }

  /** Returns the score of a text. */
  of(id: number): number {
    const text = this.#texts.get(id);
    if (!text) return 0;
    const average = this.#length / this.#texts.size || 1;
    const norm = 1 - lengthInfluence + (lengthInfluence * text.length) / average;
    let score = 0;
    let maximum = 0;
    for (const term of this.#terms) {
      const count = text.counts.get(term) ?? 0;
      const weight = this.#weightOf(term);
      score += (weight * count) / (count + saturation * norm);
      maximum += weight;
    }
    return maximum === 0 ? 0 : score / maximum;
  }

  #weightOf(term: string): number {
    const total = this.#texts.size;
    const found = this.#found.get(term) ?? 0;
    return Math.log(1 + (total - found + 0.5) / (found + 0.5));
  }
}
