import { InlayError } from '../errors.ts';
import { saidIn } from './messages.ts';
import type { ConversationState, UserEntry } from './state.ts';

/** What is said in place of the message of an entry: it follows what that one followed. */
export function inPlaceOf(
  state: ConversationState,
  key: string,
): { entry: UserEntry; parent: string | null | undefined } {
  const { entries, memory } = state;
  const at = entries.findIndex((entry) => entry.key === key);
  const entry = entries.slice(0, at + 1).findLast((each) => each.kind === 'user');
  if (!entry) {
    throw new InlayError(
      'INVALID_OPTION',
      'edit(key) needs the key of a message that is shown, or of an answer to one.',
    );
  }
  const parent = memory.branches.parents.get(entry.key);
  // What failed is not in the log: in its place is where it would have been.
  if (parent !== undefined || entry.delivery === 'failed') return { entry, parent };
  const before = saidIn(state);
  return { entry, parent: before[before.indexOf(entry) - 1]?.key ?? null };
}
