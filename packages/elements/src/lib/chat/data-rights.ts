import { forgetUnsentConsents } from '../consent/send-consents.ts';
import { emit } from '../events.ts';
import { saveAs } from '../file/save-as.ts';
import type { ChatController } from './chat-controller.ts';

export { offerClaim } from './offer-claim.ts';

/** Exports the conversation on screen as a file. Resolves with whether that succeeded. */
export async function exportConversation(
  chat: ChatController,
  format: 'markdown' | 'json',
): Promise<boolean> {
  const { announcer, host, sessionId } = chat;
  const { strings } = chat.language;
  if (!sessionId || !emit(host, 'inlay-export-request', { sessionId, format })) return false;
  const file = await attempt(chat, (client) => client.sessions.export(sessionId, format));
  if (!file) {
    announcer.say(strings.exportFailed);
    return false;
  }
  saveAs(file, `${sessionId}.${format === 'json' ? 'json' : 'md'}`);
  emit(host, 'inlay-export', { sessionId, format });
  return true;
}

/** Deletes the conversation on screen and starts a new one. Resolves with whether that succeeded. */
export async function deleteConversation(chat: ChatController): Promise<boolean> {
  const { announcer, host, sessionId } = chat;
  const { strings } = chat.language;
  if (!sessionId || !emit(host, 'inlay-delete-request', { sessionId })) return false;
  const { current } = chat.conversation;
  const isDeleted = await attempt(chat, async (client) => {
    await client.sessions.delete(sessionId);
    return true;
  });
  if (!isDeleted) {
    announcer.say(strings.deleteFailed);
    return false;
  }
  announcer.clear();
  // The stream may have reported the deletion already; `sessionId` is null then.
  if (chat.conversation.current === current) chat.open(null);
  chat.handleDeleted(sessionId);
  announcer.say(chat.language.strings.conversationDeleted);
  return true;
}

/** Deletes all data of the user on the server. Resolves with whether that succeeded. */
export async function eraseUserData(chat: ChatController): Promise<boolean> {
  const { announcer, host } = chat;
  const { strings } = chat.language;
  const { config } = chat.client;
  if (!emit(host, 'inlay-forget-request', {})) return false;
  if (!(await attempt(chat, (client) => client.forgetMe()))) {
    announcer.say(strings.deleteFailed);
    return false;
  }
  chat.restart(null);
  chat.client.load();
  announcer.say(strings.forgotten);
  chat.consent.withdraw();
  if (config) forgetUnsentConsents(config);
  emit(host, 'inlay-forget', {});
  return true;
}

/** Runs an action with the client. Reports a failure and resolves with null. */
async function attempt<T>(
  chat: ChatController,
  action: (client: NonNullable<ChatController['client']['client']>) => Promise<T>,
): Promise<T | null> {
  const { client } = chat.client;
  if (!client) return null;
  try {
    return await action(client);
  } catch (reason) {
    chat.fail(reason);
    return null;
  }
}
