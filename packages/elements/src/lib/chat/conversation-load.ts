import type { ConversationState } from '@inlay/client';
import { emit } from '../events.ts';

/** Dispatches `inlay-conversation-load` for an existing conversation, not for a new one. */
export function emitConversationLoad(
  chat: EventTarget,
  { session, running, entries }: ConversationState,
): void {
  if (!session) return;
  const sinceLastMessage = entries.slice(entries.map(({ kind }) => kind).lastIndexOf('user') + 1);
  const answers = sinceLastMessage.filter(
    (entry) => entry.kind === 'agent' && entry.progress !== 'streaming',
  ).length;
  emit(chat, 'inlay-conversation-load', { sessionId: session.id, running, answers });
}
