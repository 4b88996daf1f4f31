/**
 * Splits or joins the pieces into pieces of `size` bytes, of which only the last may be shorter. A piece is
 * overwritten when the next one is requested.
 */
export async function* inPieces(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const chunk of bytes) {
    for (let offset = 0; offset < chunk.byteLength; ) {
      const part = chunk.subarray(offset, offset + size - filled);
      buffer.set(part, filled);
      offset += part.byteLength;
      filled += part.byteLength;
      if (filled < size) continue;
      yield buffer;
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}
