import { type LogEvent, textOf } from '@inlay/protocol';

/** UTF-16 code units of a list's line about a conversation. */
const previewLength = 140;
/** UTF-16 code units of a title or a query, which have at most 200, however folding expands them. */
const shortText = 4_096;
/** UTF-16 code units that are normalized at a time. */
const sliceLength = 512;
/** UTF-16 code units before the end of a slice that are searched for a place to cut. */
const cutWindow = 64;

/**
 * A text as it is searched: without case and width, the same in every engine of the store.
 *
 * The text is normalized in slices, because `normalize` takes quadratic time for a long run of
 * combining marks. A slice ends where no character composes with the next one; only inside a run
 * of more than 64 marks a character and its mark may come apart.
 *
 * @param limit UTF-16 code units of the result. Text beyond it is not normalized.
 * @default limit Room for a title or a query.
 */
export function foldText(text: string, limit = shortText): string {
  let normalized = '';
  for (let at = 0; at < text.length && normalized.length < limit; ) {
    const end = cutAt(text, at);
    normalized += text.slice(at, end).normalize('NFKC');
    at = end;
  }
  // Lower, upper, lower: so that `ß` and `ſ` fold alike wherever they stand.
  return normalized.slice(0, limit).toLowerCase().toUpperCase().toLowerCase().slice(0, limit);
}

/** Characters that may compose with the one before: marks, half-width sound marks, Hangul vowels and finals. */
const composing = /^[\p{M}\uff9e\uff9f\u1160-\u11ff\uffc2-\uffdc\udc00-\udfff]/u;

/** The end of the slice that begins at `start`. */
function cutAt(text: string, start: number): number {
  const end = start + sliceLength;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - cutWindow; at -= 1) {
    if (!composing.test(text.slice(at, at + 2))) return at;
  }
  return end;
}

/** What a person said that can be searched for: null for an event of another kind, or without words. */
export function spokenText(event: LogEvent): string | null {
  if (event.type !== 'user.message' && event.type !== 'agent.message') return null;
  const text = textOf(event.content);
  return text.trim() === '' ? null : text;
}

/** The beginning of what the person said first, on one line; null where they said nothing in words. */
export function previewOf(events: readonly LogEvent[]): string | null {
  const first = events.find((event) => event.type === 'user.message' && spokenText(event) !== null);
  const text = first && spokenText(first)?.replaceAll(/\s+/g, ' ').trim();
  if (!text) return null;
  // The cut may have parted a pair of surrogates.
  return text.length <= previewLength
    ? text
    : `${text.slice(0, previewLength - 1).replace(/\p{Cs}$/u, '')}…`;
}
