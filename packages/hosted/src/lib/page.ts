import { createInlayClient, type InlayClient, isInlayError, type TokenSource } from '@inlay/client';
import { defineChat, type InlayChat } from '@inlay/elements';
import { notice, waitingNotice, wayOn } from './notice.ts';
import { speak } from './speak.ts';
import type { Words } from './words.ts';

defineChat();

/** Delay before the waiting notice is shown while the code is exchanged, in milliseconds. */
const waitingNoticeDelay = 2_500;

/** Exchanges the code and shows the conversation, or a notice that explains the failure. */
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
  const timer = setTimeout(() => show(page, waiting.element), waitingNoticeDelay);
  const fail = (error: unknown) => {
    client.close();
    show(page, explain(error, words));
  };
  try {
    // Exchanges the code. While offline, `config()` would wait until the code has expired.
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
  // There is no host page with tools. With an empty object, calls fail instead of staying pending.
  chat.tools = {};
  client.onAuthChange(() => {
    // The chat reports the expired token itself; only this page knows the address of the host site.
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
  // Without a status, the client created the error: the address contains no code.
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
