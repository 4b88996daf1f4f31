/** Returns the longest prefix with at most `bytes` bytes in UTF-8. Never splits a character. */
export function truncateToBytes(text: string, bytes: number): string {
  // A UTF-16 code unit has at most three bytes in UTF-8, so most texts need no encoding.
  if (text.length * 3 <= bytes) return text;
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  // With `stream`, the decoder drops an incomplete character at the end.
  return new TextDecoder().decode(encoded.subarray(0, Math.max(bytes, 0)), { stream: true });
}
