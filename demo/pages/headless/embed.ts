import {
  type AuthStatus,
  type CardEntry,
  createInlayClient,
  type Entry,
  hostTokens,
} from '@inlay/client';
import { onUserChange } from '../shared/account.ts';
import { getToken } from '../shared/get-token.ts';
import { platform } from '../shared/platform.ts';
import { type Choice, drawEntry } from './draw-entry.ts';
import { entryList, form, message, status, stop } from './parts.ts';

interface CardItem {
  title: string;
  action?: string;
}

export const client = createInlayClient({
  baseUrl: platform,
  tokens: hostTokens(getToken),
  // For your monitoring; here, the developer panel.
  onDiagnostic: (detail) => dispatchEvent(new CustomEvent('inlay-diagnostic', { detail })),
});
let conversation = client.conversation();
const declined = new Set<string>();
let drawn = new Map<string, { item: HTMLLIElement; entry: Entry }>();

/** Renders only changed entries: an unchanged entry is the same object as before. */
function draw() {
  const { entries, running } = conversation.state;
  for (const entry of entries) {
    const before = drawn.get(entry.key);
    if (before?.entry === entry) continue;
    const item = before?.item ?? document.createElement('li');
    drawEntry(item, entry, choicesOf(entry));
    drawn.set(entry.key, { item, entry });
  }
  const items = entries.flatMap(({ key }) => drawn.get(key)?.item ?? []);
  if (items.length !== entryList.childElementCount) entryList.replaceChildren(...items);
  entryList.scrollTop = entryList.scrollHeight;
  stop.disabled = !running;
  for (const entry of entries) decline(entry);
}

/** This page has no tools, so it answers calls of page tools with an error. */
function decline(entry: Entry) {
  if (entry.kind !== 'tool' || entry.progress !== 'waiting' || entry.id === null) return;
  if (declined.has(entry.id)) return;
  declined.add(entry.id);
  const message = 'This page has no tools.';
  void conversation.submitToolResult(entry.id, message, { isError: true }).catch(showAuth);
}

function choicesOf(entry: Entry): Choice[] {
  if (entry.kind === 'user' && entry.delivery === 'failed') {
    return [{ label: 'Send again', choose: () => conversation.retry(entry.key) }];
  }
  if (entry.kind === 'tool' && entry.progress === 'approval') {
    const decide = (decision: 'allow' | 'deny') => () =>
      void conversation.confirmTool(entry.id ?? '', decision).catch(showAuth);
    return [
      { label: 'Allow', choose: decide('allow') },
      { label: 'Deny', choose: decide('deny') },
    ];
  }
  if (entry.kind === 'card' && entry.progress === 'open') return cardChoices(entry);
  return [];
}

/** The items of a card's lists, as buttons. Forms would need more interface. */
function cardChoices({ id, card }: CardEntry): Choice[] {
  const lists = card.blocks.filter(({ type }) => type === 'list');
  return lists.flatMap(({ items }) => (items as CardItem[]).flatMap(choiceOf));

  function choiceOf({ title, action }: CardItem): Choice[] {
    if (!action) return [];
    const choose = () => void conversation.answerCard(id ?? '', action, {}).catch(showAuth);
    return [{ label: title, choose }];
  }
}

const words: Record<AuthStatus, string> = {
  ok: 'The night desk is awake.',
  refreshing: 'One moment …',
  expired: 'Your session has ended. Sign in again.',
  revoked: 'Your session was ended. Sign in again.',
  blocked: 'The night desk is closed for this account.',
  over_budget: 'That was enough for today.',
  origin_denied: 'The night desk can’t be reached from this address.',
  offline: 'No network. What you send waits.',
};

function showAuth() {
  status.textContent = words[client.auth.status];
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = message.value.trim();
  if (text === '') return;
  message.value = '';
  // A failed message stays in the conversation, where it can be retried.
  conversation.send(text).catch(showAuth);
});
stop.addEventListener('click', () => conversation.stop());

client.onAuthChange(showAuth);
conversation.subscribe(draw);
showAuth();

// Another user has signed in: drop the data of the previous user, and start a new conversation.
onUserChange(() => {
  client.reset();
  conversation = client.conversation();
  conversation.subscribe(draw);
  drawn = new Map();
  message.value = '';
  draw();
});
