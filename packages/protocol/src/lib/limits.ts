/** Bounds of the published interface (service reference, sections 4.1 and 8.4). */
export const limits = {
  /** Lifetime of an embed token, in seconds. */
  ttlSeconds: { min: 60, max: 3600 },
  /** Lifetime of an exchange code, in seconds. */
  exchangeCodeSeconds: 60,
  /** UTF-8 bytes of all text blocks of a `system_message` together. */
  systemMessageBytes: 8192,
  metadata: { keys: 16, keyLength: 64, valueLength: 512 },
  externalUserIdLength: 128,
  /** Items in a page of embed tokens or of sessions. */
  page: { max: 100, default: 20 },
  /** Items in a page of a session's events. */
  eventPage: { max: 200, default: 50 },
  /** Seconds that reading a session's events may wait for one. Less than any proxy waits for an answer. */
  eventWaitSeconds: 25,
  /** Bytes of an uploaded file. */
  fileBytes: 104_857_600,
} as const;

/**
 * The length of a text in UTF-8 bytes. Written out because the protocol knows no platform, and so
 * no `TextEncoder`. A lone surrogate counts as the three bytes of U+FFFD that it is sent as.
 */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
