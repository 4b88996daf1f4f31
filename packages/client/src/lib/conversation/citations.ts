import type { ReadContent } from '@inlay/protocol';
import { isRecord } from '@inlay/protocol/shape';
import type { EntryCitation } from './state.ts';

/** The sources of all text blocks, with places in the text that `textOf` makes of them. */
export function citationsOf(content: ReadContent): readonly EntryCitation[] {
  const texts = content.filter(({ type, text }) => type === 'text' && typeof text === 'string');
  let start = 0;
  return texts.flatMap(({ text, citations }) => {
    const from = start;
    const { length } = String(text);
    start += length + 2;
    const end = texts.length === 1 ? null : from + length;
    return Array.isArray(citations)
      ? citations.flatMap((each) => read(each, from, length, end))
      : [];
  });
}

/** Nothing for what is no citation: it must not take the answer away with it. */
function read(
  value: unknown,
  from: number,
  length: number,
  whole: number | null,
): readonly EntryCitation[] {
  if (!isRecord(value) || typeof value.title !== 'string') return [];
  const { title, url, snippet, end_index } = value;
  const isPlace = typeof end_index === 'number' && Number.isSafeInteger(end_index);
  return [
    {
      title,
      // An address that would run something is not one where a source can be read.
      url: typeof url === 'string' && /^https?:\/\//i.test(url) ? url : null,
      snippet: typeof snippet === 'string' ? snippet : null,
      endIndex: isPlace ? from + Math.max(0, Math.min(end_index, length)) : whole,
    },
  ];
}
