/**
 * Numbers the bytes that an uninterrupted client receives. Each chunk has a name; the first session
 * assigns the offsets, and later sessions look them up.
 */
export class ByteIndex {
  readonly #offsets = new Map<string, number>();
  #length = 0;
  #longestChunk = 0;
  #isFrozen = false;

  /** Number of bytes. */
  get length(): number {
    return this.#length;
  }

  /** Size of the longest chunk in bytes. */
  get longestChunk(): number {
    return this.#longestChunk;
  }

  /** Stops assigning offsets: `offsetOf` then returns null for new chunks. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /**
   * Returns the offset of the first byte of a chunk; null if the first session did not send the
   * chunk.
   *
   * @param length Size of the chunk in bytes.
   */
  offsetOf(chunk: string, length: number): number | null {
    const known = this.#offsets.get(chunk);
    if (known !== undefined || this.#isFrozen) return known ?? null;
    const offset = this.#length;
    this.#offsets.set(chunk, offset);
    this.#length += length;
    this.#longestChunk = Math.max(this.#longestChunk, length);
    return offset;
  }
}
