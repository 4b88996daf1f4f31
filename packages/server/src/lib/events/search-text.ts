import { type LogEvent, textOf } from '@inlay/protocol';

/**
 * Maximum length of a folded title or query, in UTF-16 code units. Before folding, both have at most
 * 200.
 */
const defaultLimit = 4_096;
/** UTF-16 code units that are normalized at a time. */
const sliceLength = 512;
/** UTF-16 code units at the end of a slice that are searched for a safe position to cut. */
const cutWindow = 64;

/**
 * Folds the case and width of a text for the search, independently of the store's collation.
 *
 * Normalizes the text in slices, because `normalize` takes quadratic time for a long run of combining
 * marks. A slice ends before a character that does not compose with the previous character. Only in a
 * run of more than 64 marks can a slice separate a character from its mark.
 *
 * @param limit Maximum UTF-16 code units of the result. Text beyond it is not normalized.
 * @default limit 4096, enough for a title or a query.
 */
export function foldText(text: string, limit = defaultLimit): string {
  let normalized = '';
  for (let offset = 0; offset < text.length && normalized.length < limit; ) {
    const end = endOfSlice(text, offset);
    normalized += text.slice(offset, end).normalize('NFKC');
    offset = end;
  }
  // Three conversions: `ẞ` becomes `ss` only by way of `ß`, and `σ` and `ς` become the same letter
  // only by way of `Σ`.
  return normalized.slice(0, limit).toLowerCase().toUpperCase().toLowerCase().slice(0, limit);
}

/**
 * Characters that may compose with the previous character: marks, half-width sound marks, Hangul
 * vowels and final consonants. Low surrogates are included, so that no slice separates a pair.
 */
const composing = /^[\p{M}\uff9e\uff9f\u1160-\u11ff\uffc2-\uffdc\udc00-\udfff]/u;

/** The offset of the end of the slice that starts at `start`. */
function endOfSlice(text: string, start: number): number {
  const end = start + sliceLength;
  if (end >= text.length) return text.length;
  for (let offset = end; offset > end - cutWindow; offset -= 1) {
    if (!composing.test(text.slice(offset, offset + 2))) return offset;
  }
  return end;
}

/** The searchable text of a message; null for other events and for messages without text. */
export function searchableText(event: LogEvent): string | null {
  if (event.type !== 'user.message' && event.type !== 'agent.message') return null;
  const text = textOf(event.content);
  return text.trim() === '' ? null : text;
}
