/**
 * Joins WebP images of the same size to an animation that repeats
 * (https://developers.google.com/speed/webp/docs/riff_container).
 *
 * @param {readonly { image: Buffer, duration: number }[]} frames - With durations in milliseconds.
 * @param {{ width: number, height: number }} size
 */
export function animatedWebp(frames, { width, height }) {
  const hasAnimation = 2;
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.concat([Buffer.from([hasAnimation, 0, 0, 0]), size])),
    // The background colour, and the number of repetitions: 0 for no end.
    chunk('ANIM', Buffer.alloc(6)),
    ...frames.map(({ image, duration }) => {
      const header = [Buffer.alloc(6), size, uint24(duration), Buffer.from([0])];
      return chunk('ANMF', Buffer.concat([...header, bitstreamOf(image)]));
    }),
  ]);
  return chunk('RIFF', body);
}

/** The chunk with the pixels of an image: the first one in a file without metadata. */
function bitstreamOf(image) {
  for (let offset = 12; offset < image.length; ) {
    const length = image.readUInt32LE(offset + 4);
    const end = offset + 8 + length + (length % 2);
    if (/^VP8[ L]$/.test(image.toString('latin1', offset, offset + 4)))
      return image.subarray(offset, end);
    offset = end;
  }
  throw new Error('The image is not a WebP file.');
}

function chunk(name, content) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), length, content, Buffer.alloc(content.length % 2)]);
}

function uint24(value) {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
