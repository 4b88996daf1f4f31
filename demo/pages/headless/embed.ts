import {
  type AuthStatus,
  type CardEntry,
  createInlayClient,
  type Entry,
  hostTokens,
} from '@inlay/client';
import { onPersonChange } from '../shared/account.ts';
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
  // For whatever watches over your pages. Here it is the developer panel.
  onDiagnostic: (detail) => dispatchEvent(new CustomEvent('inlay-diagnostic', { detail })),
});
let conversation = client.conversation();
const declined = new Set<string>();
let drawn = new Map<string, { item: HTMLLIElement; entry: Entry }>();

/** An entry that is the same object as before has not changed: only the others are drawn. */
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

/** This page has no tools of its own, and an agent that asks for one has to be told. */
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

/** A list to choose from is enough here. A form takes an interface of its own. */
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
  // A message that failed stays in the conversation, and can be sent again there.
  conversation.send(text).catch(showAuth);
});
stop.addEventListener('click', () => conversation.stop());

client.onAuthChange(showAuth);
conversation.subscribe(draw);
showAuth();

// Another person uses this page now: forget all that was said, and begin anew.
onPersonChange(() => {
  client.reset();
  conversation = client.conversation();
  conversation.subscribe(draw);
  drawn = new Map();
  message.value = '';
  draw();
});
