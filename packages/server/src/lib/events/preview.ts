import type { LogEvent } from '@inlay/protocol';
import { searchableText } from './search-text.ts';

/** Maximum length of the texts in the list of sessions, in UTF-16 code units. */
const previewLength = 140;

/** The start of the first user message with text, on one line; null if there is no such message. */
export function previewOf(events: readonly LogEvent[]): string | null {
  return startOf(events.find((event) => event.type === 'user.message' && searchableText(event)));
}

/** The start of the last message with text, on one line; null if there is no such message. */
export function lastMessageOf(events: readonly LogEvent[]): string | null {
  return startOf(events.findLast(searchableText));
}

function startOf(message: LogEvent | undefined): string | null {
  const text = message && searchableText(message)?.replaceAll(/\s+/g, ' ').trim();
  if (!text) return null;
  // Removes a high surrogate whose low surrogate was cut off.
  return text.length <= previewLength
    ? text
    : `${text.slice(0, previewLength - 1).replace(/\p{Cs}$/u, '')}…`;
}
