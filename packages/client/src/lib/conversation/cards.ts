import type { LogEvent } from '@inlay/protocol';
import { moveTo } from './branch-changes.ts';
import type { CardAnswer, CardEntry } from './state.ts';
import type { StateDraft } from './state-draft.ts';

/** Returns the entry of a card. */
export function cardEntry(event: LogEvent<'agent.card'>): Omit<CardEntry, 'key' | 'seq' | 'at'> {
  const { title = null, blocks } = event.card;
  return { kind: 'card', id: event.id, card: { title, blocks }, answer: null, progress: 'open' };
}

/** Applies the answer to a card from the log. */
export function applyCardAnswer(draft: StateDraft, event: LogEvent<'user.card_action'>): void {
  const { card_id: id, action, values = {}, parent_id: to } = event;
  if (to) moveTo(draft, { seq: event.seq, to });
  const entry = draft.find(id, 'card');
  if (entry) draft.replace(id, { ...entry, answer: { action, values }, progress: 'answered' });
  // The card is not loaded yet.
  else draft.remember({ orphans: [...draft.memory.orphans, event] });
}

/** Shows the user's answer while it is being sent; null removes an answer that was rejected. */
export function answerCard(draft: StateDraft, id: string, answer: CardAnswer | null): void {
  const entry = draft.find(id, 'card');
  if (!entry || entry.progress === 'answered') return;
  draft.replace(id, { ...entry, answer, progress: answer ? 'sending' : 'open' });
}
