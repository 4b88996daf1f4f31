import type { Allowance, Session, SessionBudget } from '@inlay/protocol';
import type { LocalEvent } from './events.ts';
import { reduceHistory } from './history.ts';
import { updateSuspension } from './live.ts';
import { openCard, showCardAnswer } from './log.ts';
import type { StateDraft } from './state-draft.ts';
import {
  acceptUnsent,
  addUnsent,
  changeDelivery,
  discardUnsent,
  showBranchOf,
} from './user-messages.ts';

/** Applies an event of the client or the user. */
export function reduceLocal(draft: StateDraft, event: LocalEvent): void {
  switch (event.type) {
    case 'local.message_added':
      addUnsent(draft, event);
      break;
    case 'local.accepted':
      acceptUnsent(draft, event);
      break;
    case 'local.discarded':
      discardUnsent(draft, event.key);
      break;
    case 'local.version_selected':
      showBranchOf(draft, { key: event.key, at: event.at });
      draft.set({ suggestions: [] });
      break;
    case 'local.welcome':
      draft.set({
        welcome: { key: 'welcome', seq: null, at: 0, ...openCard('welcome', event.card) },
      });
      break;
    case 'local.card_answered':
      showCardAnswer(draft, event.id, event.answer);
      break;
    case 'local.rated':
      setRatings(draft, event.ratings);
      break;
    case 'local.delivery':
      changeDelivery(draft, event);
      break;
    case 'local.stop':
      setStopping(draft, event.stopping);
      break;
    case 'local.allowances':
      draft.setAllowances(event.allowances);
      break;
    case 'local.connection':
      draft.set({
        connection: event.connection,
        error: event.error,
        retryAt: event.retryAt ?? null,
      });
      updateSuspension(draft);
      break;
    case 'local.session':
      setSession(draft, event.session);
      break;
    case 'local.loading':
      draft.set({ loading: event.loading });
      break;
    case 'local.history':
      reduceHistory(draft, event);
      break;
  }
}

/** Sets ratings, including those of agent messages that are not loaded. */
function setRatings(draft: StateDraft, ratings: ReadonlyMap<string, 'up' | 'down' | null>): void {
  const known = new Map(draft.memory.ratings);
  for (const [id, feedback] of ratings) {
    if (feedback) known.set(id, feedback);
    else known.delete(id);
    const entry = draft.find(id, 'agent');
    if (entry && entry.feedback !== feedback) draft.replace(id, { ...entry, feedback });
  }
  draft.remember({ ratings: known });
}

/** Sets `stopping`. Streaming entries are shown as stopped immediately, although more fragments may arrive. */
function setStopping(draft: StateDraft, stopping: boolean): void {
  draft.set({ stopping });
  for (const { id } of draft.memory.previews) {
    const entry = draft.find(id, 'agent', 'thinking');
    if (entry) draft.replace(id, { ...entry, progress: stopping ? 'stopped' : 'streaming' });
  }
}

function setSession(draft: StateDraft, session: Session): void {
  const { status, budget, terminated_reason: endReason = null } = session;
  draft.set({ session, endReason });
  updateSuspension(draft);
  draft.setAllowances(budget ? [allowanceOf(budget)] : []);
  draft.remember({ serverRunning: status === 'running' || status === 'rescheduling' });
}

function allowanceOf({ limit_cents, spent_cents }: SessionBudget): Allowance {
  // A budget of 0 is used up.
  const usedShare = limit_cents > 0 ? Math.min(1, spent_cents / limit_cents) : 1;
  return { type: 'session', used: usedShare, resets_at: null };
}
