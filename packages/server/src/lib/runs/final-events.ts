import type { LogEvent } from '@inlay/protocol';
import type { EventDraft } from '../events/event-draft.ts';
import { isOver, isRunOpen, type Step } from './plan.ts';

export function idle(
  type: string,
  eventIds?: readonly string[],
): EventDraft<'session.status_idle'> {
  return {
    type: 'session.status_idle',
    stop_reason: { type, ...(eventIds && { event_ids: [...eventIds] }) },
  };
}

/**
 * Returns the events that end a run: one `session.status_idle` if the run was open, or if the
 * session waited for results or confirmations and has since received some; otherwise none.
 */
export function finalEvents(
  log: readonly LogEvent[],
  step: Extract<Step, { type: 'wait' | 'rest' }>,
): EventDraft<'session.status_idle'>[] {
  if (isOver(log)) return [];
  const index = log.findLastIndex((event) => event.type === 'session.status_idle');
  const last = log[index];
  if (step.type === 'wait') {
    const wasPartlyAnswered = log
      .slice(index + 1)
      .some(({ type }) => type === 'user.tool_confirmation' || type === 'user.custom_tool_result');
    return isRunOpen(log) || wasPartlyAnswered ? [idle('requires_action', step.callIds)] : [];
  }
  const wasWaiting =
    last?.type === 'session.status_idle' && last.stop_reason.type === 'requires_action';
  return isRunOpen(log) || wasWaiting ? [idle('end_turn')] : [];
}
