import type { Mention, UserContent, UserMessageInput } from '@inlay/protocol';
import { InlayError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { ConversationState, UserEntry } from './state.ts';

/** A message of the user, as the page sends it. */
export interface Message {
  readonly content: UserContent;
  readonly mode?: string | null;
  readonly mentions?: readonly Mention[];
  /**
   * Id or key of its parent; null for none.
   *
   * @default the last message that is shown
   */
  readonly parent?: string | null;
}

/** Returns the event that sends a message. */
export function messageEvent(
  { content, mode, mentions = [] }: Message,
  parent: string | null | undefined,
): UserMessageInput {
  return omitUndefined<UserMessageInput>({
    type: 'user.message',
    content,
    parent_id: parent,
    mode: mode ?? undefined,
    mentions: mentions.length > 0 ? [...mentions] : undefined,
  });
}

/**
 * Returns the parent of a message: the parent's id, or its key while it is not in the log; null for none;
 * undefined if the server should append the message to the log's current branch.
 */
export function parentOf(state: ConversationState, key: string): string | null | undefined {
  const parent = state.memory.branches.parents.get(key);
  if (typeof parent !== 'string') return parent;
  const parentMessage = userMessages(state).findLast(
    (each) => each.key === parent || each.id === parent,
  );
  return parentMessage ? (parentMessage.id ?? parentMessage.key) : parent;
}

/**
 * Finds the user's message to edit, and the parent of its replacement.
 *
 * @param key Key of the message, or of an entry of its answer.
 * @throws {InlayError} `INVALID_OPTION` if there is no such message.
 */
export function editTarget(
  state: ConversationState,
  key: string,
): { entry: UserEntry; parent: string | null | undefined } {
  const { entries, memory } = state;
  const index = entries.findIndex((each) => each.key === key);
  const entry = entries.slice(0, index + 1).findLast((each) => each.kind === 'user');
  if (!entry) {
    throw new InlayError('INVALID_OPTION', 'edit(key) needs the key of a message or an answer.');
  }
  const parent = memory.branches.parents.get(entry.key);
  // A failed message is not in the log: its replacement has the same parent.
  if (parent !== undefined || entry.delivery === 'failed') return { entry, parent };
  const messages = userMessages(state);
  return { entry, parent: messages[messages.indexOf(entry) - 1]?.key ?? null };
}

/** Returns the user's messages of all branches. */
export function userMessages({ entries, memory }: ConversationState): UserEntry[] {
  return (memory.branches.all ?? entries).filter((entry) => entry.kind === 'user');
}

/**
 * Returns the content blocks of a message.
 *
 * @throws {InlayError} `INVALID_OPTION` for an empty message.
 */
export function toContent(message: string | UserContent): UserContent {
  const content: UserContent =
    typeof message === 'string' ? [{ type: 'text', text: message }] : message;
  if (content.every((block) => block.type === 'text' && !block.text)) {
    throw new InlayError('INVALID_OPTION', 'A message needs a text or a content block.');
  }
  return content;
}
