/** The product: `<inlay-chat>` with the modules that the script tag loads. */
import { defineChat, type InlayChat } from '@inlay/elements';
import { type BenchChat, nextFrame, registerChat, waitUntilUsable } from './bench-chat.ts';

defineChat();

let chat: InlayChat | null = null;

function lastMessage(): Element | null {
  const list = chat?.shadowRoot?.querySelector('inlay-message-list');
  const messages = list?.shadowRoot?.querySelectorAll('inlay-agent-message');
  return messages?.[messages.length - 1] ?? null;
}

const markdownOf = (message: Element | null) =>
  message?.shadowRoot?.querySelector('inlay-markdown') ?? null;

const widget: BenchChat = {
  async mount({ baseUrl, token, session }) {
    chat = document.createElement('inlay-chat');
    chat.baseUrl = baseUrl;
    chat.getToken = async () => token;
    if (session) chat.sessionId = session;
    else chat.noResume = true;
    chat.style.blockSize = '100vh';
    document.body.append(chat);
    const root = chat.shadowRoot;
    await waitUntilUsable(
      () => root?.querySelector('inlay-composer')?.shadowRoot?.querySelector('textarea') ?? null,
    );
  },
  unmount() {
    chat?.remove();
    chat = null;
  },
  async ask(text) {
    const previous = lastMessage();
    const answered = new Promise((resolve, reject) => {
      chat?.addEventListener('inlay-answer', resolve, { once: true });
      chat?.addEventListener('inlay-error', (event) => reject(new Error(event.detail.message)), {
        once: true,
      });
    });
    if (!(await chat?.sendMessage(text))) throw new Error(`The chat did not send “${text}”.`);
    await answered;
    // On a busy machine, the list, the message and its Markdown render later.
    for (;;) {
      await nextFrame();
      const message = lastMessage();
      const markdown = message === previous ? null : markdownOf(message);
      if (!markdown || markdown.streaming) continue;
      await markdown.updateComplete;
      break;
    }
    await nextFrame();
  },
  answer: () =>
    markdownOf(lastMessage())?.shadowRoot?.querySelector('[part=content]')?.textContent ?? '',
};

registerChat(widget);
