/** Number of bytes at the start of a file that contain every known signature. */
const headLength = 16;

/** Detects the media type of a file from its content, which is added piece by piece. */
export class TypeSniffer {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  #head = Buffer.alloc(0);
  #isText = true;

  add(bytes: Uint8Array): void {
    if (this.#head.byteLength < headLength) {
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, headLength)]);
    }
    this.#isText &&= this.#isTextSoFar(bytes);
  }

  /** Returns the media type. Call it after all pieces were added. */
  end(): string {
    const head = this.#head;
    const known = signatures.find(({ at, magic }) => startsWith(head.subarray(at), magic));
    if (known && startsWith(head, known.start ?? '')) return known.type;
    const isText = this.#isText && this.#isTextSoFar();
    return isText ? 'text/plain' : 'application/octet-stream';
  }

  /**
   * Whether the content is valid UTF-8 without NUL.
   *
   * @param bytes The next piece; undefined at the end of the content.
   */
  #isTextSoFar(bytes?: Uint8Array): boolean {
    if (bytes?.includes(0)) return false;
    try {
      this.#utf8.decode(bytes, { stream: bytes !== undefined });
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * Image types that browsers render without running code. SVG is excluded, because it may contain
 * scripts.
 */
export const safeImageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

/** `magic` is found at the offset `at`, and `start` at the start of the file. */
const signatures: readonly { type: string; at: number; magic: string; start?: string }[] = [
  { type: 'image/png', at: 0, magic: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, magic: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, magic: 'GIF87a' },
  { type: 'image/gif', at: 0, magic: 'GIF89a' },
  { type: 'image/webp', at: 8, magic: 'WEBP', start: 'RIFF' },
  { type: 'application/pdf', at: 0, magic: '%PDF-' },
  { type: 'application/zip', at: 0, magic: 'PK\x03\x04' },
];

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return [...magic].every((character, index) => bytes[index] === character.charCodeAt(0));
}
