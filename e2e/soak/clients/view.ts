import type { ConversationState, Entry } from '@inlay/client';

/** What is shown of an entry, without what differs from one look at the log to the next. */
export function viewOf(state: ConversationState): string[] {
  return state.entries.map((entry) => JSON.stringify(shown(entry)));
}

function shown(entry: Entry): object {
  const { key: _key, ...rest } = entry;
  // Its content is its text, and an answered message may have it in another order of fields.
  if (rest.kind !== 'user') return rest;
  const { content: _content, ...message } = rest;
  return message;
}

/** Where two views differ first, in words; null where they are equal. */
export function firstDifference(ours: readonly string[], theirs: readonly string[]): string | null {
  const length = Math.max(ours.length, theirs.length);
  for (let index = 0; index < length; index += 1) {
    if (ours[index] === theirs[index]) continue;
    return `entry ${index} is ${brief(ours[index])} and has to be ${brief(theirs[index])}`;
  }
  return null;
}

const longest = 160;

function brief(entry = 'left out'): string {
  return entry.length > longest ? `${entry.slice(0, longest)}…` : entry;
}
