import type { Allowance, SessionBudget } from '@inlay/protocol';
import { answerCard } from './cards.ts';
import type { Draft } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import { acceptTyped, addTyped, changeDelivery, discardTyped } from './typed-messages.ts';

/** Applies what happened on this side of the wire. */
export function reduceLocal(
  draft: Draft,
  event: Exclude<LocalEvent, { type: 'local.history' }>,
): void {
  switch (event.type) {
    case 'local.typed':
      addTyped(draft, event);
      break;
    case 'local.delivery':
      changeDelivery(draft, event);
      break;
    case 'local.accepted':
      acceptTyped(draft, event);
      break;
    case 'local.discarded':
      discardTyped(draft, event.key);
      break;
    case 'local.stop':
      stop(draft, event.wanted);
      break;
    case 'local.shown':
      draft.show({ key: event.key, at: event.at });
      draft.set({ suggestions: [] });
      break;
    case 'local.answered':
      answerCard(draft, event.id, event.answer);
      break;
    case 'local.rated':
      rate(draft, event.ratings);
      break;
    case 'local.allowances':
      draft.allow(event.allowances);
      break;
    case 'local.connection':
      draft.set({ connection: event.connection, error: event.error });
      break;
    case 'local.session': {
      const { status, budget, terminated_reason: endReason = null } = event.session;
      draft.set({ session: event.session, endReason });
      draft.allow(budget ? [ofBudget(budget)] : []);
      draft.remember({ serverRunning: status === 'running' || status === 'rescheduling' });
      break;
    }
    case 'local.loading':
      draft.set({ loading: event.loading });
      break;
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

function ofBudget({ limit_cents, spent_cents }: SessionBudget): Allowance {
  // One without a limit to speak of is used up.
  const used = limit_cents > 0 ? Math.min(1, spent_cents / limit_cents) : 1;
  return { type: 'session', used, resets_at: null };
}

/** What is being said shows as stopped at once, also what is still on its way here. */
function stop(draft: Draft, stopping: boolean): void {
  draft.set({ stopping });
  for (const { id } of draft.memory.previews) {
    const entry = draft.find(id, 'agent', 'thinking');
    if (entry) draft.replace(id, { ...entry, progress: stopping ? 'stopped' : 'streaming' });
  }
}
