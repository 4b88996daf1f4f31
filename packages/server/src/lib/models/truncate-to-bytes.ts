/** The longest prefix of `text` with at most `bytes` UTF-8 bytes. Never splits a character. */
export function truncateToBytes(text: string, bytes: number): string {
  // At most three bytes per code unit, so most texts need not be encoded.
  if (text.length * 3 <= bytes) return text;
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  // With `stream`, an incomplete character at the end is dropped.
  return new TextDecoder().decode(encoded.subarray(0, Math.max(bytes, 0)), { stream: true });
}
