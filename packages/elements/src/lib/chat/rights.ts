import { emit } from '../events.ts';
import { saveAs } from '../file/save-as.ts';
import type { Strings } from '../i18n/strings.ts';
import type { ChatController } from './chat-controller.ts';

/** What a right of the person is exercised with. */
export interface RightsContext {
  /** The element, whose page is asked first. */
  readonly element: EventTarget;
  readonly chat: ChatController;
  readonly strings: Strings;
  /** Tells those who hear the page what came of it. */
  readonly say: (text: string) => void;
}

/** Saves a copy of the conversation on screen as a file. False where none could be made. */
export async function exportConversation(
  { element, chat, strings, say }: RightsContext,
  format: 'markdown' | 'json',
): Promise<boolean> {
  const { sessionId } = chat;
  if (!sessionId || !emit(element, 'inlay-export-request', { sessionId, format })) return false;
  const copy = await chat.export(format);
  if (!copy) {
    say(strings.exportFailed);
    return false;
  }
  saveAs(copy, `${sessionId}.${format === 'json' ? 'json' : 'md'}`);
  emit(element, 'inlay-export', { sessionId, format });
  return true;
}

/** Deletes the conversation on screen. Resolves with its id once it is gone, otherwise with null. */
export async function deleteConversation({
  element,
  chat,
  strings,
  say,
}: RightsContext): Promise<string | null> {
  const { sessionId } = chat;
  if (!sessionId || !emit(element, 'inlay-delete-request', { sessionId })) return null;
  const gone = await chat.delete();
  if (gone === null) say(strings.deleteFailed);
  return gone;
}

/** Deletes everything that the platform has of the person. True when it is gone. */
export async function forgetPerson({
  element,
  chat,
  strings,
  say,
}: RightsContext): Promise<boolean> {
  if (!emit(element, 'inlay-forget-request', {})) return false;
  const forgotten = await chat.forgetMe();
  say(forgotten ? strings.forgotten : strings.deleteFailed);
  return forgotten;
}
