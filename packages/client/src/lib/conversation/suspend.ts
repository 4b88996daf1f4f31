import type { Connection } from '../stream/connection.ts';
import type { Draft } from './draft.ts';

/**
 * Gives every unfinished entry an end state while the conversation is closed: nothing can finish it,
 * and nothing may look as if it went on. A conversation that is opened again, such as after a
 * reconnect, goes on with the entries as they were.
 */
export function suspend(draft: Draft, connection: Connection): void {
  if (connection === 'closed') close(draft);
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
  const found = [...streaming, ...open].filter((entry) => entry !== undefined);
  if (found.length === 0) return;
  for (const entry of found) {
    if (entry.kind === 'tool') draft.replace(entry.key, { ...entry, progress: 'stopped' });
    else draft.replace(entry.key, { ...entry, progress: 'failed' });
  }
  draft.remember({ suspended: [...suspended, ...found] });
}

function reopen(draft: Draft): void {
  const { suspended } = draft.memory;
  if (suspended.length === 0) return;
  for (const entry of suspended) {
    if (draft.find(entry.key, entry.kind)) draft.replace(entry.key, entry);
  }
  draft.remember({ suspended: [] });
}
