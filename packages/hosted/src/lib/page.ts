import { createInlayClient, isInlayError, type TokenSource } from '@inlay/client';
import { defineChat, type InlayChat } from '@inlay/elements';
import { endedBar, notice } from './notice.ts';

defineChat();

/** Exchanges the code and shows the conversation, or says why there is none and what to do. */
export async function showPage(tokens: TokenSource, page: Element): Promise<void> {
  const client = createInlayClient({ baseUrl: new URL('..', location.href).href, tokens });
  try {
    const config = await client.config();
    document.title = config.agent.name;
    const chat: InlayChat = document.createElement('inlay-chat');
    chat.client = client;
    page.replaceChildren(chat);
    chat.focusComposer();
    client.onAuthChange(() => {
      if (client.auth.status !== 'expired' || page.querySelector('.ended')) return;
      page.append(
        endedBar('This conversation link has run out. Go back to where you came from to go on.'),
      );
    });
  } catch (error) {
    client.close();
    page.replaceChildren(explain(error));
  } finally {
    page.removeAttribute('aria-busy');
  }
}

function explain(error: unknown): HTMLElement {
  // The client's own word for an address without a code: nothing was asked yet.
  if (isInlayError(error) && error.code === 'NOT_FOUND' && error.status === null) {
    return notice(
      'This page needs a fresh link',
      'For your safety a conversation link works once, and a reload can’t bring it back. Open the conversation again from where you came.',
    );
  }
  switch (isInlayError(error) ? error.code : '') {
    case 'NOT_FOUND':
      return notice(
        'This link was used already, or has run out',
        'A conversation link works once, within a minute. Go back to where you found it and open the conversation again to get a new one.',
      );
    case 'EMBED_USER_BLOCKED':
      return notice(
        'This conversation is not open to you',
        'The site that invited you has closed it. Ask them if you think that this is a mistake.',
      );
    default:
      return notice(
        'The conversation can’t be opened just now',
        'The service did not answer. Check your connection, then open the conversation again from where you came.',
      );
  }
}
