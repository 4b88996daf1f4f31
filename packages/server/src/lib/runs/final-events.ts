import type { LogEvent } from '@inlay/protocol';
import type { EventDraft } from '../events/event-draft.ts';
import { isRunOpen, isTerminated, type Step } from './plan.ts';

/**
 * Creates a `session.status_idle`.
 *
 * @param pendingCallIds Ids of the calls that the session waits for.
 */
export function idleEvent(
  stopReason: string,
  pendingCallIds?: readonly string[],
): EventDraft<'session.status_idle'> {
  return {
    type: 'session.status_idle',
    stop_reason: {
      type: stopReason,
      ...(pendingCallIds && { event_ids: [...pendingCallIds] }),
    },
  };
}

/**
 * Returns the events that end a run: one `session.status_idle` if the run was open, or if pending
 * calls were confirmed, answered or interrupted since the last one; otherwise none.
 */
export function finalEvents(
  log: readonly LogEvent[],
  step: Extract<Step, { type: 'wait' | 'rest' }>,
): EventDraft<'session.status_idle'>[] {
  if (isTerminated(log)) return [];
  const index = log.findLastIndex((event) => event.type === 'session.status_idle');
  const last = log[index];
  if (step.type === 'wait') {
    const wasPartlyAnswered = log
      .slice(index + 1)
      .some(({ type }) => type === 'user.tool_confirmation' || type === 'user.custom_tool_result');
    return isRunOpen(log) || wasPartlyAnswered ? [idleEvent('requires_action', step.callIds)] : [];
  }
  const wasWaiting =
    last?.type === 'session.status_idle' && last.stop_reason.type === 'requires_action';
  return isRunOpen(log) || wasWaiting ? [idleEvent('end_turn')] : [];
}
