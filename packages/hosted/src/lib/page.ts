import { createInlayClient, type InlayClient, isInlayError, type TokenSource } from '@inlay/client';
import { defineChat, type InlayChat } from '@inlay/elements';
import { createNotice, createReturnLink, createWaitingNotice } from './notice.ts';
import { applyPageLanguage } from './page-language.ts';
import type { PageStrings } from './page-strings.ts';

defineChat();

/** Delay before the waiting notice is shown while the code is exchanged, in milliseconds. */
const waitingNoticeDelay = 2_500;

/** Exchanges the code and shows the conversation, or a notice that explains the failure. */
export async function showPage(tokens: TokenSource, page: Element): Promise<void> {
  const strings = applyPageLanguage();
  const waiting = createWaitingNotice(strings, () => client.reconnect());
  const client = createInlayClient({
    baseUrl: new URL('..', location.href).href,
    tokens,
    onDiagnostic: ({ type }) => {
      if (type === 'token_retry') waiting.enableRetry();
    },
  });
  const timer = setTimeout(() => showContent(page, waiting.element), waitingNoticeDelay);
  const fail = (error: unknown) => {
    client.close();
    showContent(page, createErrorNotice(error, strings));
  };
  try {
    // Exchanges the code. Not `config()`, which would wait while offline, until the code has expired.
    await client.reconnect();
    const chat = createChat(client, strings);
    showContent(page, chat);
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

function showContent(page: Element, content: HTMLElement): void {
  page.replaceChildren(content);
  page.removeAttribute('aria-busy');
}

function createChat(client: InlayClient, { back }: PageStrings): InlayChat {
  const chat = document.createElement('inlay-chat');
  chat.client = client;
  // There is no host page with tools. With an empty object, calls fail instead of staying pending.
  chat.tools = {};
  client.onAuthChange(() => {
    // The chat itself reports that the token has expired. This only adds the link back to the host site.
    if (client.auth.status !== 'expired' || chat.querySelector('.action')) return;
    const link = createReturnLink(back);
    if (!link) return;
    link.slot = 'footer';
    chat.append(link);
  });
  return chat;
}

function createErrorNotice(error: unknown, strings: PageStrings): HTMLElement {
  const { back } = strings;
  // The client creates a `NOT_FOUND` without a status if the address contains no code.
  if (isInlayError(error) && error.code === 'NOT_FOUND' && error.status === null) {
    return createNotice(strings.freshTitle, strings.freshText, back);
  }
  switch (isInlayError(error) ? error.code : '') {
    case 'NOT_FOUND':
      return createNotice(strings.usedTitle, strings.usedText, back);
    case 'EMBED_TOKEN_EXPIRED':
      return createNotice(strings.expiredTitle, strings.expiredText, back);
    case 'EMBED_USER_BLOCKED':
      return createNotice(strings.blockedTitle, strings.blockedText, back);
    default:
      return createNotice(strings.failedTitle, strings.failedText, back);
  }
}
