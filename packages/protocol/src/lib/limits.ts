/** Limits of the public API (docs/conformance.md, 4.1 and 8.4). */
export const limits = {
  /** Lifetime of an embed token, in seconds. */
  ttlSeconds: { min: 60, max: 3600 },
  /** Lifetime of an exchange code, in seconds. */
  exchangeCodeSeconds: 60,
  /** Maximum UTF-8 bytes of a `system_message`, counted over the texts of its blocks. */
  systemMessageBytes: 8192,
  metadata: { keys: 16, keyLength: 64, valueLength: 512 },
  externalUserIdLength: 128,
  /** Page size of all lists except lists of events, in items. */
  page: { max: 100, default: 20 },
  /** Page size of lists of events, in items. */
  eventPage: { max: 200, default: 50 },
  /**
   * Maximum duration of a long poll, in seconds. Shorter than the usual read timeout of proxies.
   */
  eventWaitSeconds: 25,
  /** Maximum size of an uploaded file in bytes. */
  fileBytes: 104_857_600,
} as const;

/**
 * Computes the length of a text in UTF-8 bytes. Does not use `TextEncoder`, because this package
 * is compiled without platform types.
 *
 * @returns Number of bytes. A lone surrogate counts as 3, because encoders replace it by U+FFFD.
 */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
