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
import { entryList, form, message, status, stop } from './elements.ts';
import { type EntryAction, renderEntry } from './render-entry.ts';

interface CardItem {
  title: string;
  action?: string;
}

export const client = createInlayClient({
  baseUrl: platform,
  tokens: hostTokens(getToken),
  // A real site would send diagnostics to its monitoring.
  onDiagnostic: console.info,
});
let conversation = client.conversation();
const rejectedTools = new Set<string>();
let rendered = new Map<string, { item: HTMLLIElement; entry: Entry }>();

/** Renders the changed entries. An unchanged entry is the same object as in the previous call. */
function render() {
  const { entries, running } = conversation.state;
  for (const entry of entries) {
    const previous = rendered.get(entry.key);
    if (previous?.entry === entry) continue;
    const item = previous?.item ?? document.createElement('li');
    renderEntry(item, entry, actionsOf(entry));
    rendered.set(entry.key, { item, entry });
  }
  const items = entries.flatMap(({ key }) => rendered.get(key)?.item ?? []);
  if (items.length !== entryList.childElementCount) entryList.replaceChildren(...items);
  entryList.scrollTop = entryList.scrollHeight;
  stop.disabled = !running;
  for (const entry of entries) rejectPageTool(entry);
}

/** Returns an error for a call of a page tool, because this page has no tools. */
function rejectPageTool(entry: Entry) {
  if (entry.kind !== 'tool' || entry.progress !== 'waiting' || entry.id === null) return;
  if (rejectedTools.has(entry.id)) return;
  rejectedTools.add(entry.id);
  const message = 'This page has no tools.';
  void conversation.submitToolResult(entry.id, message, { isError: true }).catch(showAuth);
}

function actionsOf(entry: Entry): EntryAction[] {
  if (entry.kind === 'user' && entry.delivery === 'failed') {
    return [{ label: 'Send again', run: () => conversation.retry(entry.key) }];
  }
  if (entry.kind === 'tool' && entry.progress === 'approval') {
    const decide = (decision: 'allow' | 'deny') => () =>
      void conversation.confirmTool(entry.id ?? '', decision).catch(showAuth);
    return [
      { label: 'Allow', run: decide('allow') },
      { label: 'Deny', run: decide('deny') },
    ];
  }
  if (entry.kind === 'card' && entry.progress === 'open') return cardActions(entry);
  return [];
}

/** One button per item of a card's lists. This example does not support forms. */
function cardActions({ id, card }: CardEntry): EntryAction[] {
  const lists = card.blocks.filter(({ type }) => type === 'list');
  return lists.flatMap(({ items }) => (items as CardItem[]).flatMap(actionOf));

  function actionOf({ title, action }: CardItem): EntryAction[] {
    if (!action) return [];
    const run = () => void conversation.answerCard(id ?? '', action, {}).catch(showAuth);
    return [{ label: title, run }];
  }
}

const statusTexts: Record<AuthStatus, string> = {
  ok: 'The night desk is awake.',
  refreshing: 'Connecting …',
  expired: 'Your session has ended. Sign in again.',
  revoked: 'Your session was ended. Sign in again.',
  blocked: 'The night desk is closed for this account.',
  over_budget: 'Today’s limit is reached.',
  origin_denied: 'The night desk can’t be reached from this address.',
  offline: 'You are offline. Messages are sent when you are online again.',
};

function showAuth() {
  status.textContent = statusTexts[client.auth.status];
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
conversation.subscribe(render);
showAuth();

// After another user has signed in, drops the data of the previous user, and starts a new conversation.
onUserChange(() => {
  client.reset();
  conversation = client.conversation();
  conversation.subscribe(render);
  rendered = new Map();
  message.value = '';
  render();
});
