import { type AuthStatus, createInlayClient, fetchToken, hostTokens } from '@inlay/client';

const client = createInlayClient({
  baseUrl: import.meta.env.VITE_INLAY_URL ?? 'http://localhost:8787',
  tokens: hostTokens(fetchToken('/api/chat-token')),
});
const conversation = client.conversation();

const list = find('ol', HTMLOListElement);
const status = find('[role=status]', HTMLElement);
const form = find('form', HTMLFormElement);
const stop = find('[name=stop]', HTMLButtonElement);

/** Texts for the states in which the user can't send messages. */
const explanations: Partial<Record<AuthStatus, string>> = {
  expired: 'Your session has expired. Reload the page.',
  revoked: 'Your access has ended.',
  blocked: 'Your access has ended.',
  over_budget: 'You’ve reached the limit of this chat.',
  origin_denied: 'This page may not use the chat.',
  offline: 'You’re offline. Messages are sent when you’re back.',
};

conversation.subscribe(() => {
  const { entries, stoppable } = conversation.state;
  list.replaceChildren(
    ...entries.flatMap((entry) => {
      if (entry.kind !== 'user' && entry.kind !== 'agent') return [];
      const item = document.createElement('li');
      item.className = entry.kind;
      item.textContent = entry.text;
      if (entry.kind === 'user' && entry.delivery === 'failed') {
        item.classList.add('failed');
        item.textContent += ` (not sent: ${entry.error?.message})`;
      }
      return item;
    }),
  );
  stop.hidden = !stoppable;
});

client.onAuthChange(() => {
  status.textContent = explanations[client.auth.status] ?? '';
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = String(new FormData(form).get('text')).trim();
  if (text === '') return;
  form.reset();
  // If the message can't be sent, its entry has the error.
  conversation.send(text).catch(() => {});
});

stop.addEventListener('click', () => void conversation.stop());

function find<Element extends HTMLElement>(selector: string, type: new () => Element): Element {
  const element = document.querySelector(selector);
  if (element instanceof type) return element;
  throw new Error(`The page has no ${selector}.`);
}
