/**
 * Numbers the bytes that a client gets which is never cut off. Whatever goes over a wire has a name;
 * the first session to use a map gives each its place, and the later ones find it there.
 */
export class WireMap {
  readonly #places = new Map<string, number>();
  #bytes = 0;
  #longest = 0;
  #sealed = false;

  /** How many bytes there are. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The bytes of the longest piece. */
  get longest(): number {
    return this.#longest;
  }

  /** No more places are given. */
  seal(): void {
    this.#sealed = true;
  }

  /** The number of the first byte of a piece; null for one that the first session never sent. */
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
