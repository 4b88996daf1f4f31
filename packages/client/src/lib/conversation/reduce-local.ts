import type { Draft } from './draft.ts';
import type { LocalEvent } from './local-events.ts';
import { acceptTyped, addTyped, changeDelivery } from './typed-messages.ts';

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
      if (draft.find(event.key, 'user')?.delivery === 'failed') draft.remove(event.key);
      break;
    case 'local.stopped':
      stopPreviews(draft);
      break;
    case 'local.rated': {
      const entry = draft.find(event.id, 'agent');
      if (entry) draft.replace(event.id, { ...entry, feedback: event.rating });
      break;
    }
    case 'local.connection':
      draft.set({ connection: event.connection, error: event.error });
      break;
    case 'local.session': {
      const { status } = event.session;
      draft.set({ session: event.session });
      draft.remember({ serverRunning: status === 'running' || status === 'rescheduling' });
      break;
    }
    case 'local.loading':
      draft.set({ loading: event.loading });
      break;
  }
}

/** What is being said shows as stopped at once, also what is still on its way here. */
function stopPreviews(draft: Draft): void {
  draft.set({ stopping: true });
  for (const { id } of draft.memory.previews) {
    const entry = draft.find(id, 'agent', 'thinking');
    if (entry) draft.replace(id, { ...entry, progress: 'stopped' });
  }
}
