import { createInlayClient, isInlayError, type TokenSource } from '@inlay/client';
import { defineChat, type InlayChat } from '@inlay/elements';
import { endedBar, notice } from './notice.ts';
import { speak } from './speak.ts';
import type { Words } from './words.ts';

defineChat();

/** Exchanges the code and shows the conversation, or says why there is none and what to do. */
export async function showPage(tokens: TokenSource, page: Element): Promise<void> {
  const words = speak();
  const client = createInlayClient({ baseUrl: new URL('..', location.href).href, tokens });
  try {
    const config = await client.config();
    document.title = config.agent.name;
    const chat: InlayChat = document.createElement('inlay-chat');
    chat.client = client;
    // No page around it has any: an agent that asks for one is told so, rather than left waiting.
    chat.tools = {};
    page.replaceChildren(chat);
    void chat.updateComplete.then(() => chat.focusComposer());
    client.onAuthChange(() => {
      if (client.auth.status !== 'expired' || page.querySelector('.ended')) return;
      page.append(endedBar(words.ended, words.back));
    });
  } catch (error) {
    client.close();
    page.replaceChildren(explain(error, words));
  } finally {
    page.removeAttribute('aria-busy');
  }
}

function explain(error: unknown, words: Words): HTMLElement {
  const { back } = words;
  // The client's own word for an address without a code: nothing was asked yet.
  if (isInlayError(error) && error.code === 'NOT_FOUND' && error.status === null) {
    return notice(words.freshTitle, words.freshText, back);
  }
  switch (isInlayError(error) ? error.code : '') {
    case 'NOT_FOUND':
      return notice(words.usedTitle, words.usedText, back);
    case 'EMBED_USER_BLOCKED':
      return notice(words.blockedTitle, words.blockedText, back);
    default:
      return notice(words.failedTitle, words.failedText, back);
  }
}
