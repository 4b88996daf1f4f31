import { answerCard } from './cards.ts';
import type { Draft } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import { reducePlainLocal } from './plain-local.ts';
import { acceptTyped, addTypedTo, discardTyped, show } from './typed-in-branches.ts';

/** Applies what happened on this side of the wire. */
export function reduceLocal(draft: Draft, event: LocalEvent): void {
  switch (event.type) {
    case 'local.typed':
      addTypedTo(draft, event);
      break;
    case 'local.accepted':
      acceptTyped(draft, event);
      break;
    case 'local.discarded':
      discardTyped(draft, event.key);
      break;
    case 'local.shown':
      show(draft, { key: event.key, at: event.at });
      draft.set({ suggestions: [] });
      break;
    case 'local.answered':
      answerCard(draft, event.id, event.answer);
      break;
    case 'local.rated':
      rate(draft, event.ratings);
      break;
    default:
      reducePlainLocal(draft, event);
  }
}

/** What somebody thinks of answers, also of those that were not read yet. */
function rate(draft: Draft, ratings: ReadonlyMap<string, 'up' | 'down' | null>): void {
  const known = new Map(draft.memory.ratings);
  for (const [id, feedback] of ratings) {
    if (feedback) known.set(id, feedback);
    else known.delete(id);
    const entry = draft.find(id, 'agent');
    if (entry && entry.feedback !== feedback) draft.replace(id, { ...entry, feedback });
  }
  draft.remember({ ratings: known });
}
