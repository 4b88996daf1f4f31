import { type LogEvent, textOf } from '@inlay/protocol';

/** UTF-16 code units of a list's line about a conversation. */
const previewLength = 140;
/** UTF-16 code units by which one message is searched. Folding can make a text eighteen times as long. */
const mostSearched = 200_000;

/** A text as it is searched: without case and width, the same in every engine of the store. */
export function foldText(text: string): string {
  // Lower, upper, lower: so that `ß` and `ſ` fold alike wherever they stand.
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
}

/** What of a message is searched: the beginning, which is all of it unless it is very long. */
export function searchable(text: string): string {
  return foldText(text).slice(0, mostSearched);
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
