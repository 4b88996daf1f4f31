/**
 * Replaces a credential in a body by `*` of the same length, so that `Content-Length` stays correct. Of
 * each chunk, only the bytes that may be the start of a credential wait for the next chunk.
 *
 * @param secret Empty for an upstream without keys.
 */
export async function* redactChunks(
  chunks: AsyncIterable<Uint8Array>,
  secret: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (secret === '') {
    yield* chunks;
    return;
  }
  const wanted = Buffer.from(secret);
  const stars = Buffer.alloc(wanted.byteLength, '*');
  let pending = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([pending, chunk]);
    for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at))
      stars.copy(bytes, at);
    const end = bytes.byteLength - lengthOfStart(bytes, wanted);
    pending = bytes.subarray(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (pending.byteLength > 0) yield pending;
}

/** Returns the length of the longest end of `bytes` that is a start of `wanted`. */
function lengthOfStart(bytes: Buffer, wanted: Buffer): number {
  let length = Math.min(bytes.byteLength, wanted.byteLength - 1);
  while (length > 0 && !bytes.subarray(-length).equals(wanted.subarray(0, length))) length -= 1;
  return length;
}
