import type { Allowance, SessionBudget } from '@inlay/protocol';
import type { Draft } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import { acceptNext, addTyped, changeDelivery } from './typed-messages.ts';

/**
 * Applies what happened on this side of the wire, as far as it happens in every conversation. False
 * for anything else.
 */
export function reducePlainLocal(draft: Draft, event: LocalEvent): boolean {
  switch (event.type) {
    case 'local.typed':
      if (event.parent !== undefined) return false;
      addTyped(draft, event);
      break;
    case 'local.delivery':
      changeDelivery(draft, event);
      break;
    case 'local.accepted':
      return acceptNext(draft, event);
    case 'local.discarded':
      if (draft.find(event.key, 'user')?.delivery !== 'failed') break;
      draft.remove(event.key);
      draft.look();
      break;
    case 'local.stop':
      stop(draft, event.wanted);
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
    default:
      return false;
  }
  return true;
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
