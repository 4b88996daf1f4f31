import type { Allowance, Session, SessionBudget } from '@inlay/protocol';
import { answerCard } from './cards.ts';
import type { Draft } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import { reduceHistory } from './reduce-history.ts';
import { suspend } from './suspend.ts';
import { acceptTyped, addTypedTo, discardTyped, show } from './typed-in-branches.ts';
import { changeDelivery } from './typed-messages.ts';

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
    case 'local.delivery':
      changeDelivery(draft, event);
      break;
    case 'local.stop':
      stop(draft, event.wanted);
      break;
    case 'local.allowances':
      draft.allow(event.allowances);
      break;
    case 'local.connection':
      draft.set({
        connection: event.connection,
        error: event.error,
        retryAt: event.retryAt ?? null,
      });
      suspend(draft);
      break;
    case 'local.session':
      learn(draft, event.session);
      break;
    case 'local.loading':
      draft.set({ loading: event.loading });
      break;
    case 'local.history':
      reduceHistory(draft, event);
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

/** What is being said shows as stopped at once, also what is still on its way here. */
function stop(draft: Draft, stopping: boolean): void {
  draft.set({ stopping });
  for (const { id } of draft.memory.previews) {
    const entry = draft.find(id, 'agent', 'thinking');
    if (entry) draft.replace(id, { ...entry, progress: stopping ? 'stopped' : 'streaming' });
  }
}

function learn(draft: Draft, session: Session): void {
  const { status, budget, terminated_reason: endReason = null } = session;
  draft.set({ session, endReason });
  suspend(draft);
  draft.allow(budget ? [ofBudget(budget)] : []);
  draft.remember({ serverRunning: status === 'running' || status === 'rescheduling' });
}

function ofBudget({ limit_cents, spent_cents }: SessionBudget): Allowance {
  // One without a limit to speak of is used up.
  const used = limit_cents > 0 ? Math.min(1, spent_cents / limit_cents) : 1;
  return { type: 'session', used, resets_at: null };
}
