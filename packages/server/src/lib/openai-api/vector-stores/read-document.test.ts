import { expect, it } from 'vitest';
import { queryTerms, termsOf } from '../../events/search-terms.ts';
import { cpuGrowth } from '../../testing/cpu-growth.ts';
import { zip } from '../../testing/zip.ts';
import { readDocument } from './read-document.ts';
import { TextSplitter } from './text-splitter.ts';

const sizes = { chunkTokens: 100, overlapTokens: 50 };

/** Reads a text as a file, and splits it into chunks. */
async function index(text: string, filename: string): Promise<void> {
  async function* bytes() {
    yield Buffer.from(text);
  }
  const splitter = new TextSplitter(sizes);
  const file = { filename, mimeType: 'text/plain', sizeBytes: text.length, bytes: bytes() };
  for await (const piece of readDocument(file)) {
    for (const chunk of splitter.add(piece)) termsOf(chunk.text);
  }
  for (const chunk of splitter.end()) termsOf(chunk.text);
}

it.each([
  ['open elements that are never closed', 'a.html', '<b></i>'],
  ['comments that do not end', 'a.html', '<!-- '],
  ['entities', 'a.html', '&amp;&#x41;'],
  ['empty lines', 'a.txt', '\n \n\t'],
  ['one word', 'a.txt', 'a'],
  ['combining marks', 'a.txt', '\u0301'],
  ['characters without spaces', 'a.txt', '退'],
])('a document of %s is read in linear time', async (_, filename, part) => {
  const growth = await cpuGrowth((size) => index(part.repeat(size), filename), 20_000);

  // Quadratic time would be 64 times.
  expect(growth).toBeLessThan(32);
});

it('a small document that unpacks to more than 100 MiB is refused', async () => {
  const archive = zip({ 'word/document.xml': `<x>${' '.repeat(104_857_600)}</x>` });
  async function* bytes() {
    yield archive;
  }
  const pieces = readDocument({
    filename: 'a.docx',
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    sizeBytes: archive.byteLength,
    bytes: bytes(),
  });

  await expect(async () => {
    for await (const piece of pieces) expect(piece).toBe('');
  }).rejects.toMatchObject({ code: 'invalid_file', message: expect.stringContaining('unpacks') });
});

it('chunks do not depend on the pieces in which a text arrives', () => {
  const text = Array.from({ length: 200 }, (_, n) => `Sentence ${n} 退款 🎉 ends.\n`).join('');
  const chunksOf = (length: number) => {
    const splitter = new TextSplitter(sizes);
    const chunks = [];
    for (let offset = 0; offset < text.length; offset += length) {
      chunks.push(...splitter.add(text.slice(offset, offset + length)));
    }
    return [...chunks, ...splitter.end()];
  };

  expect(chunksOf(7)).toEqual(chunksOf(text.length));
  expect(
    chunksOf(1)
      .map((chunk) => chunk.text.slice(chunk.overlap))
      .join(''),
  ).toBe(text);
});

it('queries have no characters that the full-text indexes treat as operators', () => {
  for (const term of queryTerms([`a" OR 'b' & c:* !(d) <-> NEAR(e) \\f {g} ^h -i`])) {
    expect(term).toMatch(/^[\p{L}\p{M}\p{N}]+$/u);
  }
});
