import { readFileSync, writeFileSync } from 'node:fs';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** So many pixels may differ: the edge of a letter, never a letter. */
const tolerated = 20;

/** Keeps a picture as the image of a state. */
export function keepImage(picture: Buffer, file: URL): void {
  // No transparency: three bytes a pixel instead of four, before they are packed.
  writeFileSync(file, PNG.sync.write(PNG.sync.read(picture), { colorType: 2, deflateLevel: 9 }));
}

/**
 * In what a picture differs from the image of its state, in words; null for nothing that could be
 * seen. Where it does, both are written down, and the pixels in which they differ.
 *
 * @param differing - The path to write to, without `.actual.png` and the like.
 */
export function differenceOf(picture: Buffer, file: URL, differing: string): string | null {
  const expected = readImage(file);
  if (!expected) return 'it has no image: npm run snapshots -- --update';
  const actual = PNG.sync.read(picture);
  const { width, height } = actual;
  const sameSize = expected.width === width && expected.height === height;
  const diff = new PNG({ width, height });
  const pixels = sameSize
    ? pixelmatch(expected.data, actual.data, diff.data, width, height, { threshold: 0.1 })
    : width * height;
  if (pixels <= tolerated) return null;
  writeFileSync(`${differing}.actual.png`, picture);
  writeFileSync(`${differing}.expected.png`, readFileSync(file));
  if (sameSize) writeFileSync(`${differing}.diff.png`, PNG.sync.write(diff));
  return `${pixels} pixels differ: see ${differing}.*.png`;
}

function readImage(file: URL): PNG | null {
  try {
    return PNG.sync.read(readFileSync(file));
  } catch {
    return null;
  }
}
