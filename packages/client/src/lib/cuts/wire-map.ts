/**
 * Numbers the bytes that an uninterrupted client receives. Each chunk has a name; the first session
 * numbers them, and later ones look them up.
 */
export class WireMap {
  readonly #places = new Map<string, number>();
  #bytes = 0;
  #longest = 0;
  #sealed = false;

  /** Number of bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Size of the longest chunk in bytes. */
  get longest(): number {
    return this.#longest;
  }

  /** Adds no more chunks. */
  seal(): void {
    this.#sealed = true;
  }

  /**
   * Returns the number of the first byte of a chunk; null for one that the first session did not
   * send.
   */
  place(name: string, length: number): number | null {
    const known = this.#places.get(name);
    if (known !== undefined || this.#sealed) return known ?? null;
    const place = this.#bytes;
    this.#places.set(name, place);
    this.#bytes += length;
    this.#longest = Math.max(this.#longest, length);
    return place;
  }
}
