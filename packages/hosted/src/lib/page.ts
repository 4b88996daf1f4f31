import { createInlayClient, type InlayClient, isInlayError, type TokenSource } from '@inlay/client';
import { defineChat, type InlayChat } from '@inlay/elements';
import { notice, waitingNotice, wayOn } from './notice.ts';
import { speak } from './speak.ts';
import type { Words } from './words.ts';

defineChat();

/** How long the page may stay empty while the code is exchanged, in milliseconds. */
const patience = 2_500;

/** Exchanges the code and shows the conversation, or says why there is none and what to do. */
export async function showPage(tokens: TokenSource, page: Element): Promise<void> {
  const words = speak();
  const waiting = waitingNotice(words, () => client.reconnect());
  const client = createInlayClient({
    baseUrl: new URL('..', location.href).href,
    tokens,
    onDiagnostic: ({ type }) => {
      if (type === 'token_retry') waiting.rest();
    },
  });
  const timer = setTimeout(() => show(page, waiting.element), patience);
  const fail = (error: unknown) => {
    client.close();
    show(page, explain(error, words));
  };
  try {
    // Exchanges the code. `config()` would wait for a network first, and let the code expire unsaid.
    await client.reconnect();
    const chat = chatOf(client, words);
    show(page, chat);
    void chat.updateComplete.then(() => chat.focusComposer());
    client.config().then(({ agent }) => {
      document.title = agent.name;
    }, fail);
  } catch (error) {
    fail(error);
  } finally {
    clearTimeout(timer);
  }
}

function show(page: Element, content: HTMLElement): void {
  page.replaceChildren(content);
  page.removeAttribute('aria-busy');
}

function chatOf(client: InlayClient, { back }: Words): InlayChat {
  const chat = document.createElement('inlay-chat');
  chat.client = client;
  // No page around it has any: an agent that asks for one is told so, rather than left waiting.
  chat.tools = {};
  client.onAuthChange(() => {
    // The chat says that the token has expired; the way back to the host is known here alone.
    if (client.auth.status !== 'expired' || chat.querySelector('.way-on')) return;
    const link = wayOn(back);
    if (!link) return;
    link.slot = 'footer';
    chat.append(link);
  });
  return chat;
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
    case 'EMBED_TOKEN_EXPIRED':
      return notice(words.expiredTitle, words.expiredText, back);
    case 'EMBED_USER_BLOCKED':
      return notice(words.blockedTitle, words.blockedText, back);
    default:
      return notice(words.failedTitle, words.failedText, back);
  }
}
