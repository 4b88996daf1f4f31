import { type Draft, isSuspended } from './draft.ts';
import type { SuspendedEntry } from './state.ts';

/**
 * Ends all unfinished entries while the conversation is closed or archived, because nothing can finish
 * them. When it is opened again, for example after a reconnect, they continue.
 */
export function suspend(draft: Draft): void {
  if (isSuspended(draft.state)) close(draft);
  else reopen(draft);
}

function close(draft: Draft): void {
  const { previews, openTools, suspended } = draft.memory;
  const streaming = previews
    .map(({ id }) => draft.find(id, 'agent', 'thinking'))
    .filter((entry) => entry?.progress === 'streaming');
  const open = openTools
    .map((id) => draft.find(id, 'tool'))
    .filter((entry) => /^(?:running|approval|waiting)$/.test(entry?.progress ?? ''));
  const found = [...streaming, ...open]
    .filter((entry) => entry !== undefined)
    .map((before): SuspendedEntry => {
      const after: SuspendedEntry['after'] =
        before.kind === 'tool'
          ? { ...before, progress: 'stopped' }
          : { ...before, progress: 'failed' };
      draft.replace(before.key, after);
      return { before, after };
    });
  if (found.length > 0) draft.remember({ suspended: [...suspended, ...found] });
}

/** Restores the suspended entries, except those that were changed since. */
function reopen(draft: Draft): void {
  const { suspended } = draft.memory;
  if (suspended.length === 0) return;
  for (const { before, after } of suspended) {
    if (draft.find(after.key, after.kind) === after) draft.replace(before.key, before);
  }
  draft.remember({ suspended: [] });
}
