/** Maximum size of a file whose pages are counted, in bytes. */
const maxFileBytes = 30_000_000;

/** Maximum length of all decompressed objects: a small file can decompress to gigabytes. */
const maxObjectLength = 5_000_000;

/** Decodes each byte to one character. */
const decoder = new TextDecoder('latin1');

/**
 * Reads the number of pages of a PDF file: the largest `/Count` in the nodes of its page tree, which are
 * plain objects or in compressed object streams.
 *
 * @returns Null if the file is not a PDF, or too large, encrypted or damaged.
 */
export async function pagesOf(file: Blob): Promise<number | null> {
  if (file.size > maxFileBytes) return null;
  const bytes = await file.arrayBuffer();
  const text = decoder.decode(bytes);
  if (!text.startsWith('%PDF-')) return null;
  let count = largestCount(text.split(/\bendobj\b/));
  let remaining = maxObjectLength;
  // The pattern ends at the next object stream: otherwise it would take quadratic time without streams.
  for (const { 0: head, index } of text.matchAll(
    /\/Type\s*\/ObjStm\b(?:(?!ObjStm).){0,999}?\bstream\r?\n/gs,
  )) {
    const start = index + head.length;
    // The length can be in another object. WebKit decompresses nothing if there is a line break behind it.
    const length = /\/Length\s+(\d+)\b(?!\s+\d+\s+R)/.exec(head)?.[1];
    const end = length ? start + Number(length) : text.indexOf('endstream', start);
    const objects = await inflate(bytes.slice(start, end), remaining);
    remaining -= objects.length;
    count = Math.max(count, largestCount(splitObjects(objects)));
  }
  return count || null;
}

/** Largest number of pages below the nodes of the page tree that are among the objects; otherwise 0. */
function largestCount(objects: readonly string[]): number {
  return objects
    .filter((object) => /\/Type\s*\/Pages\b/.test(object))
    .map((node) => Number(/\/Count\s+(\d{1,6})\b/.exec(node)?.[1] ?? 0))
    .reduce((largest, count) => Math.max(largest, count), 0);
}

/** Splits the content of an object stream, which starts with pairs of an object's number and offset. */
function splitObjects(text: string): string[] {
  const head = /^[\s\d]*/.exec(text)?.[0] ?? '';
  const offsets = [...head.matchAll(/\d+\s+(\d+)/g)].map(([, offset]) => Number(offset));
  return offsets.map((offset, index) => text.slice(head.length).slice(offset, offsets[index + 1]));
}

/** Decompresses a stream up to a length. Returns what comes before damaged data. */
async function inflate(bytes: ArrayBuffer, maxLength: number): Promise<string> {
  let text = '';
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    const reader = stream.getReader();
    while (text.length < maxLength) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value);
    }
    await reader.cancel();
  } catch {
    // Damaged data, another filter than Flate, or a line break behind the data.
  }
  return text;
}
