import type { ConversationState, Entry } from '@inlay/client';

/** Serializes the entries without properties that differ between two reads of the log. */
export function viewOf(state: ConversationState): string[] {
  return state.entries.map((entry) => JSON.stringify(comparableEntry(entry)));
}

function comparableEntry(entry: Entry): object {
  const { key: _key, ...rest } = entry;
  // The text already covers the content, whose fields can have another order.
  if (rest.kind !== 'user') return rest;
  const { content: _content, ...message } = rest;
  return message;
}

/** Describes the first difference between two views; null if they are equal. */
export function firstDifference(
  actual: readonly string[],
  expected: readonly string[],
): string | null {
  const length = Math.max(actual.length, expected.length);
  for (let index = 0; index < length; index += 1) {
    if (actual[index] === expected[index]) continue;
    return `entry ${index} is ${shortened(actual[index])}, expected ${shortened(expected[index])}`;
  }
  return null;
}

const maxLength = 160;

function shortened(entry = 'missing'): string {
  return entry.length > maxLength ? `${entry.slice(0, maxLength)}…` : entry;
}
