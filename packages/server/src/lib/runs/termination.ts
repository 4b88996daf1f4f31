import type { EventDraft } from '../events/event-draft.ts';
import type { LockedSession } from '../events/lock-session.ts';

/** Maximum characters of the reason for ending a session. */
const maximumReasonLength = 500;

/**
 * Returns the events that terminate a session; none if the session is already terminated, so that
 * the first reason is kept. Call it inside the transaction that appends the events.
 *
 * @param reason Shown to the user; null or empty for none.
 */
export function terminationEvents(
  session: Pick<LockedSession, 'status'> | null,
  reason: string | null,
): EventDraft<'session.status_terminated'>[] {
  if (session?.status === 'terminated') return [];
  const shortened = reason?.trim().slice(0, maximumReasonLength) || null;
  return [{ type: 'session.status_terminated', reason: shortened }];
}
