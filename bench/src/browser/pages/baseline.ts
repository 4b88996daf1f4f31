/**
 * The baseline: a list, a form, and one text node per token. Reads the same stream of the same
 * server, without any error handling, persistence or usability features (not even scrolling).
 */
import {
  type BenchChat,
  nextFrame,
  registerChat,
  type Setup,
  waitUntilUsable,
} from './bench-chat.ts';
import { readEvents } from './read-events.ts';

let setup: Setup;
let root: HTMLElement | null = null;
let controller: AbortController | null = null;

const baseline: BenchChat = {
  async mount(pageSetup) {
    setup = pageSetup;
    controller = new AbortController();
    root = document.createElement('main');
    root.style.cssText = 'display:flex;flex-direction:column;height:100vh';
    const list = document.createElement('ul');
    list.style.cssText = 'flex:1;overflow:auto';
    const form = document.createElement('form');
    const field = document.createElement('textarea');
    form.append(field, document.createElement('button'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void baseline.ask(field.value);
    });
    root.append(list, form);
    document.body.append(root);
    if (pageSetup.session) await showHistory(list, pageSetup.session);
    await waitUntilUsable(() => field);
  },
  unmount() {
    controller?.abort();
    root?.remove();
    root = null;
  },
  async ask(text) {
    const list = root?.querySelector('ul');
    if (!list) return;
    addItem(list, [text]);
    const response = await call('/sessions?event_deltas[]=agent.message', {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({
        initial_events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
      }),
    });
    const item = addItem(list, []);
    for await (const event of readEvents(response)) {
      if (event.type === 'event_delta') item.append(event.delta?.content.text ?? '');
      if (event.type === 'session.status_idle') break;
    }
    await nextFrame();
    await nextFrame();
  },
  answer() {
    return root?.querySelector('li:last-child')?.textContent ?? '';
  },
};

function call(path: string, init: RequestInit): Promise<Response> {
  return fetch(`${setup.baseUrl}/agent/v1${path}`, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${setup.token}` },
    signal: controller?.signal ?? null,
  });
}

interface LogPage {
  data: { type: string; content?: { text?: string }[] }[];
  next_page: string | null;
}

/** Renders the whole log, with one element per paragraph of the source. */
async function showHistory(list: HTMLElement, session: string): Promise<void> {
  for (let page: string | null = ''; page !== null; ) {
    const query: string = page ? `&page=${encodeURIComponent(page)}` : '';
    const response = await call(`/sessions/${session}/events?limit=200${query}`, {});
    const { data, next_page } = (await response.json()) as LogPage;
    for (const { type, content } of data) {
      if (type !== 'user.message' && type !== 'agent.message') continue;
      addItem(
        list,
        (content ?? [])
          .map(({ text }) => text ?? '')
          .join('')
          .split('\n\n'),
      );
    }
    page = next_page;
  }
  list.scrollTop = list.scrollHeight;
}

function addItem(list: HTMLElement, paragraphs: readonly string[]): HTMLElement {
  const item = document.createElement('li');
  for (const paragraph of paragraphs) {
    const element = document.createElement('p');
    element.textContent = paragraph;
    item.append(element);
  }
  list.append(item);
  return item;
}

registerChat(baseline);
