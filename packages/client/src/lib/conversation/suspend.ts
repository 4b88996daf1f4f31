import type { SuspendedEntry } from './state.ts';
import { isSuspended, type StateDraft } from './state-draft.ts';

/**
 * Shows all unfinished entries as ended while the conversation is closed or archived. When it is opened
 * again, for example after a reconnect, they continue.
 */
export function suspend(draft: StateDraft): void {
  if (isSuspended(draft.state)) suspendEntries(draft);
  else resumeEntries(draft);
}

function suspendEntries(draft: StateDraft): void {
  const { previews, openTools, suspended } = draft.memory;
  const streaming = previews
    .map(({ id }) => draft.find(id, 'agent', 'thinking'))
    .filter((entry) => entry?.progress === 'streaming');
  const open = openTools
    .map((id) => draft.find(id, 'tool'))
    .filter((entry) => /^(?:running|approval|waiting)$/.test(entry?.progress ?? ''));
  const suspendedNow = [...streaming, ...open]
    .filter((entry) => entry !== undefined)
    .map((before): SuspendedEntry => {
      const after: SuspendedEntry['after'] =
        before.kind === 'tool'
          ? { ...before, progress: 'stopped' }
          : { ...before, progress: 'failed' };
      draft.replace(before.key, after);
      return { before, after };
    });
  if (suspendedNow.length > 0) draft.remember({ suspended: [...suspended, ...suspendedNow] });
}

/** Restores the suspended entries that have not changed since. */
function resumeEntries(draft: StateDraft): void {
  const { suspended } = draft.memory;
  if (suspended.length === 0) return;
  for (const { before, after } of suspended) {
    if (draft.find(after.key, after.kind) === after) draft.replace(before.key, before);
  }
  draft.remember({ suspended: [] });
}
