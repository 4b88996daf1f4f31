import type { ReadContent } from '@inlay/protocol';
import { isRecord } from '@inlay/protocol/shape';
import type { EntryCitation } from './state.ts';

/** Returns the citations of all text blocks. Their positions refer to the result of `textOf`. */
export function citationsOf(content: ReadContent): readonly EntryCitation[] {
  const texts = content.filter(({ type, text }) => type === 'text' && typeof text === 'string');
  let start = 0;
  return texts.flatMap(({ text, citations }) => {
    const from = start;
    const { length } = String(text);
    start += length + 2;
    const end = texts.length === 1 ? null : from + length;
    return Array.isArray(citations)
      ? citations.flatMap((each) => readCitation(each, from, length, end))
      : [];
  });
}

/** Reads a citation. Invalid ones are dropped, so that the message is still shown. */
function readCitation(
  value: unknown,
  from: number,
  length: number,
  defaultEnd: number | null,
): readonly EntryCitation[] {
  if (!isRecord(value) || typeof value.title !== 'string') return [];
  const { title, url, snippet, end_index } = value;
  const isPosition = typeof end_index === 'number' && Number.isSafeInteger(end_index);
  return [
    {
      title,
      // A `javascript:` address would run as code of the page.
      url: typeof url === 'string' && /^https?:\/\//i.test(url) ? url : null,
      snippet: typeof snippet === 'string' ? snippet : null,
      endIndex: isPosition ? from + Math.max(0, Math.min(end_index, length)) : defaultEnd,
    },
  ];
}
