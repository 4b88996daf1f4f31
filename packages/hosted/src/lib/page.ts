import { createInlayClient, type InlayClient, isInlayError, type TokenSource } from '@inlay/client';
import { defineChat, type InlayChat } from '@inlay/elements';
import { notice, returnLink, waitingNotice } from './notice.ts';
import { applyPageLanguage } from './page-language.ts';
import type { PageStrings } from './page-strings.ts';

defineChat();

/** Delay before the waiting notice is shown while the code is exchanged, in milliseconds. */
const waitingNoticeDelay = 2_500;

/** Exchanges the code and shows the conversation, or a notice that explains the failure. */
export async function showPage(tokens: TokenSource, page: Element): Promise<void> {
  const strings = applyPageLanguage();
  const waiting = waitingNotice(strings, () => client.reconnect());
  const client = createInlayClient({
    baseUrl: new URL('..', location.href).href,
    tokens,
    onDiagnostic: ({ type }) => {
      if (type === 'token_retry') waiting.enableRetry();
    },
  });
  const timer = setTimeout(() => show(page, waiting.element), waitingNoticeDelay);
  const fail = (error: unknown) => {
    client.close();
    show(page, explain(error, strings));
  };
  try {
    // Exchanges the code. While offline, `config()` would wait until the code has expired.
    await client.reconnect();
    const chat = createChat(client, strings);
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

function createChat(client: InlayClient, { back }: PageStrings): InlayChat {
  const chat = document.createElement('inlay-chat');
  chat.client = client;
  // There is no host page with tools. With an empty object, calls fail instead of staying pending.
  chat.tools = {};
  client.onAuthChange(() => {
    // The chat reports the expired token. This page adds a link back to the host site.
    if (client.auth.status !== 'expired' || chat.querySelector('.action')) return;
    const link = returnLink(back);
    if (!link) return;
    link.slot = 'footer';
    chat.append(link);
  });
  return chat;
}

function explain(error: unknown, strings: PageStrings): HTMLElement {
  const { back } = strings;
  // Without a status, the client created the error: the address contains no code.
  if (isInlayError(error) && error.code === 'NOT_FOUND' && error.status === null) {
    return notice(strings.freshTitle, strings.freshText, back);
  }
  switch (isInlayError(error) ? error.code : '') {
    case 'NOT_FOUND':
      return notice(strings.usedTitle, strings.usedText, back);
    case 'EMBED_TOKEN_EXPIRED':
      return notice(strings.expiredTitle, strings.expiredText, back);
    case 'EMBED_USER_BLOCKED':
      return notice(strings.blockedTitle, strings.blockedText, back);
    default:
      return notice(strings.failedTitle, strings.failedText, back);
  }
}
