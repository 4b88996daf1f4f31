/** Sizes of chunks in tokens. */
interface ChunkSizes {
  /** Maximum tokens of a chunk, 100 to 4096. */
  readonly chunkTokens: number;
  /** Tokens that a chunk repeats from the end of the previous one, at most half of `chunkTokens`. */
  readonly overlapTokens: number;
}

export interface Chunk {
  readonly text: string;
  /** UTF-16 code units at the start of `text` that the previous chunk has as well. */
  readonly overlap: number;
}

/**
 * Bytes of UTF-8 that count as one token. Tokenizers of models differ; this is the average of
 * English text, and close to one token for each character of Chinese and Japanese.
 */
const bytesPerToken = 4;

/** Returns how many tokens a text with this number of bytes is estimated to have. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/**
 * Places where a chunk may end, best first: after a paragraph, a line, a sentence, a word. A place is
 * used if it is in the last quarter of the chunk.
 */
const boundaries = [/\n\s*\n/g, /\n/g, /[.!?…]\s|[。！？]/g, /\s/g];

/**
 * Splits a text that arrives in pieces into chunks. The chunks depend on the text only, not on the
 * pieces.
 */
export class TextSplitter {
  readonly #maximumBytes: number;
  readonly #overlapBytes: number;
  #text = '';
  #overlap = 0;

  constructor({ chunkTokens, overlapTokens }: ChunkSizes) {
    this.#maximumBytes = chunkTokens * bytesPerToken;
    this.#overlapBytes = overlapTokens * bytesPerToken;
  }

  /** Adds a piece of the text, and yields the chunks that are complete. */
  *add(piece: string): Generator<Chunk> {
    this.#text += piece;
    // One code unit more than a chunk can have decides whether it ends here.
    let start = 0;
    while (this.#text.length - start > this.#maximumBytes) {
      const window = this.#text.slice(start, start + this.#maximumBytes + 1);
      start += yield* this.#cut(window);
    }
    this.#text = this.#text.slice(start);
  }

  /** Yields the remaining chunks. Must be called after all pieces were added. */
  *end(): Generator<Chunk> {
    while (this.#text !== '') {
      if (Buffer.byteLength(this.#text) <= this.#maximumBytes) {
        const rest = { text: this.#text, overlap: this.#overlap };
        this.#text = '';
        // A text that ends with the previous chunk has nothing new.
        if (rest.text.length > rest.overlap) yield* withText(rest);
      } else {
        this.#text = this.#text.slice(yield* this.#cut(this.#text));
      }
    }
  }

  /** Yields the chunk at the start of a text that is longer than one, and returns where the next starts. */
  *#cut(text: string): Generator<Chunk, number> {
    const limit = endOf(text, this.#maximumBytes);
    const end = boundaryIn(text, Math.ceil(limit * 0.75), limit) ?? limit;
    yield* withText({ text: text.slice(0, end), overlap: this.#overlap });
    const next = startOfOverlap(text, end, this.#overlapBytes);
    this.#overlap = end - next;
    return next;
  }
}

function* withText(chunk: Chunk): Generator<Chunk> {
  if (chunk.text.trim() !== '') yield chunk;
}

/** Returns how many code units of a text have at most this number of bytes. */
function endOf(text: string, maximumBytes: number): number {
  let bytes = 0;
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    bytes += bytesOf(code);
    if (bytes > maximumBytes) return index;
    index += code > 0xffff ? 2 : 1;
  }
  return text.length;
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}

/** Returns the last place between two offsets where a chunk may end. */
function boundaryIn(text: string, from: number, to: number): number | undefined {
  const part = text.slice(from, to);
  for (const pattern of boundaries) {
    const last = [...part.matchAll(pattern)].at(-1);
    if (last) return from + last.index + last[0].length;
  }
  return undefined;
}

/** Returns where the overlap before `end` starts: at a word, if one starts in it. */
function startOfOverlap(text: string, end: number, overlapBytes: number): number {
  let start = end;
  for (let bytes = 0; start > 0; ) {
    const isPair = start > 1 && (text.codePointAt(start - 2) ?? 0) > 0xffff;
    bytes += bytesOf(text.codePointAt(start - (isPair ? 2 : 1)) ?? 0);
    if (bytes > overlapBytes) break;
    start -= isPair ? 2 : 1;
  }
  const space = text.slice(start, end).search(/\s\S/);
  return space === -1 ? start : start + space + 1;
}
