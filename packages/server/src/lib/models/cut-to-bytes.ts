/** The longest beginning of `text` that has at most `bytes` bytes in UTF-8. No character is divided. */
export function cutToBytes(text: string, bytes: number): string {
  // Three bytes a code unit at most, so that most texts need not be encoded.
  if (text.length * 3 <= bytes) return text;
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  // With `stream`, a character that the cut divides is left out.
  return new TextDecoder().decode(encoded.subarray(0, Math.max(bytes, 0)), { stream: true });
}
