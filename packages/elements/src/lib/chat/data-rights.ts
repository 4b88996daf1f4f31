import { emit } from '../events.ts';
import { saveAs } from '../file/save-as.ts';
import type { Strings } from '../i18n/strings.ts';
import type { ChatController } from './chat-controller.ts';

/** Everything that export, deletion and erasure need. */
export interface DataRightsContext {
  /** Element that dispatches the public events. */
  readonly element: EventTarget;
  readonly chat: ChatController;
  readonly strings: Strings;
  /** Announces the result to screen reader users. */
  readonly say: (text: string) => void;
}

/** Exports the conversation on screen as a file. Resolves with whether that succeeded. */
export async function exportConversation(
  { element, chat, strings, say }: DataRightsContext,
  format: 'markdown' | 'json',
): Promise<boolean> {
  const { sessionId } = chat;
  if (!sessionId || !emit(element, 'inlay-export-request', { sessionId, format })) return false;
  const file = await chat.export(format);
  if (!file) {
    say(strings.exportFailed);
    return false;
  }
  saveAs(file, `${sessionId}.${format === 'json' ? 'json' : 'md'}`);
  emit(element, 'inlay-export', { sessionId, format });
  return true;
}

/** Deletes the conversation on screen. Resolves with its id, or null if prevented or failed. */
export async function deleteConversation({
  element,
  chat,
  strings,
  say,
}: DataRightsContext): Promise<string | null> {
  const { sessionId } = chat;
  if (!sessionId || !emit(element, 'inlay-delete-request', { sessionId })) return null;
  const deletedId = await chat.delete();
  if (deletedId === null) say(strings.deleteFailed);
  return deletedId;
}

/** Deletes all data of the user on the server. Resolves with whether that succeeded. */
export async function eraseUserData({
  element,
  chat,
  strings,
  say,
}: DataRightsContext): Promise<boolean> {
  if (!emit(element, 'inlay-forget-request', {})) return false;
  const forgotten = await chat.forgetMe();
  say(forgotten ? strings.forgotten : strings.deleteFailed);
  return forgotten;
}
