/**
 * Replaces a credential in a body by `*` of the same length, so that `Content-Length` stays correct. Of
 * each chunk, only the bytes that may be the start of a credential wait for the next chunk.
 *
 * @param secret Empty for an upstream without keys.
 */
export function redactChunks(
  chunks: AsyncIterable<Uint8Array>,
  secret: string,
): AsyncIterable<Uint8Array> {
  return secret === '' ? chunks : withoutSecret(chunks, Buffer.from(secret));
}

async function* withoutSecret(
  chunks: AsyncIterable<Uint8Array>,
  wanted: Buffer,
): AsyncGenerator<Uint8Array, void, undefined> {
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
  const tail = bytes.subarray(Math.max(0, bytes.byteLength - wanted.byteLength + 1));
  // Most ends do not contain the first byte of the credential.
  const [first = 0] = wanted;
  let at = tail.indexOf(first);
  while (at >= 0 && !tail.subarray(at).equals(wanted.subarray(0, tail.byteLength - at)))
    at = tail.indexOf(first, at + 1);
  return at < 0 ? 0 : tail.byteLength - at;
}
