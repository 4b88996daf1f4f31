import type { LogEvent } from '@inlay/protocol';
import type { Draft } from './draft.ts';
import type { CardAnswer, CardEntry } from './state.ts';
import { moveTo } from './typed-in-branches.ts';

/** A card, as the log tells it. */
export function cardEntry(event: LogEvent<'agent.card'>): Omit<CardEntry, 'key' | 'seq' | 'at'> {
  const { title = null, blocks } = event.card;
  return { kind: 'card', id: event.id, card: { title, blocks }, answer: null, progress: 'open' };
}

/** Somebody answered a card, here or elsewhere. What the log says stands. */
export function settleCard(draft: Draft, event: LogEvent<'user.card_action'>): void {
  const { card_id: id, action, values = {}, parent_id: to } = event;
  if (to) moveTo(draft, { seq: event.seq, to });
  const entry = draft.find(id, 'card');
  if (entry) draft.replace(id, { ...entry, answer: { action, values }, progress: 'answered' });
  // It stands in a part of the log that was not read yet.
  else draft.remember({ orphans: [...draft.memory.orphans, event] });
}

/** The person answered a card here, which the log does not know yet; null: it was not accepted. */
export function answerCard(draft: Draft, id: string, answer: CardAnswer | null): void {
  const entry = draft.find(id, 'card');
  if (!entry || entry.progress === 'answered') return;
  draft.replace(id, { ...entry, answer, progress: answer ? 'sending' : 'open' });
}
