import type { ConversationState } from '@inlay/client';
import type { InlayEventDetails } from '../events.ts';

/** What the page is told of a conversation that is there; null for one that has just begun. */
export function conversationLoad({
  session,
  running,
  entries,
}: ConversationState): InlayEventDetails['inlay-conversation-load'] | null {
  if (!session) return null;
  const since = entries.slice(entries.map(({ kind }) => kind).lastIndexOf('user') + 1);
  const answers = since.filter(
    (entry) => entry.kind === 'agent' && entry.progress !== 'streaming',
  ).length;
  return { sessionId: session.id, running, answers };
}
