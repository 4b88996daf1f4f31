import type { LogEvent } from '@inlay/protocol';
import { type ToolCall, toolCallsOf } from './tool-calls.ts';

/** The next step of a run. */
export type Step =
  /** Append to the log why each of these calls was refused. */
  | { readonly type: 'refuse'; readonly calls: readonly ToolCall[] }
  | { readonly type: 'run_tools'; readonly calls: readonly ToolCall[] }
  /** End the run until the user or the host page has confirmed or answered these calls. */
  | { readonly type: 'wait'; readonly callIds: readonly string[] }
  /** `repeat`: whether there is no new event, but the last request was lost or failed. */
  | { readonly type: 'call_model'; readonly repeat: boolean }
  /** End the run. */
  | { readonly type: 'rest' };

/**
 * Derives the next step from the log alone. A run has no other state, so any process can continue
 * it after a crash, at any point.
 */
export function nextStep(log: readonly LogEvent[]): Step {
  if (isTerminated(log)) return { type: 'rest' };
  const calls = toolCallsOf(log);
  const refused = calls.filter((call) => call.state === 'refused' && call.needsResult);
  if (refused.length > 0) return { type: 'refuse', calls: refused };
  const ready = calls.filter((call) => call.state === 'ready');
  if (ready.length > 0) return { type: 'run_tools', calls: ready };
  const waiting = calls.filter(({ state }) => state === 'approval' || state === 'waiting');
  if (waiting.length > 0) return { type: 'wait', callIds: waiting.map((call) => call.id) };
  if (hasUnsentInput(log, calls)) return { type: 'call_model', repeat: false };
  return isRequestLost(log) ? { type: 'call_model', repeat: true } : { type: 'rest' };
}

/** Whether there are messages or results that no request has sent to the model. */
function hasUnsentInput(log: readonly LogEvent[], calls: readonly ToolCall[]): boolean {
  const requestSeq = lastRequestStart(log)?.seq ?? 0;
  const settledSeq = lastSettledSeq(log);
  const answered = new Set(
    calls.filter((call) => call.seq > settledSeq && call.state === 'answered').map(({ id }) => id),
  );
  const since = log.filter((event) => event.seq > requestSeq && event.seq > settledSeq);
  const hasText = since.some((event) => event.type === 'agent.message');
  return since.some((event) => {
    switch (event.type) {
      case 'user.message':
      case 'user.card_action':
      case 'agent.card':
        return true;
      case 'agent.suggestions':
        // After a text, suggestions need no further model call. Without a text, the model is called
        // again.
        return !hasText;
      case 'agent.tool_result':
        return answered.has(event.tool_use_id);
      case 'user.custom_tool_result':
        return answered.has(event.custom_tool_use_id);
      default:
        return false;
    }
  });
}

/** Whether the agent has shown a text, a card or suggestions since the user's last message or answer. */
export function hasAnswered(log: readonly LogEvent[]): boolean {
  const last = log.findLast(({ type }) =>
    [
      'user.message',
      'user.card_action',
      'agent.message',
      'agent.card',
      'agent.suggestions',
    ].includes(type),
  );
  return last?.type.startsWith('agent.') ?? false;
}

/** The number of model calls of the current run that were made for the last message or answer of the user. */
export function modelCallsFor(log: readonly LogEvent[]): number {
  const start = log.findLastIndex(({ type }) =>
    ['user.message', 'user.card_action', 'session.status_idle'].includes(type),
  );
  return log.slice(start + 1).filter(({ type }) => type === 'span.model_request_start').length;
}

/** Whether the last request of the current run has no end, or failed. */
function isRequestLost(log: readonly LogEvent[]): boolean {
  const start = lastRequestStart(log);
  if (!start || start.seq < lastSettledSeq(log)) return false;
  const end = log.find(
    (event): event is LogEvent<'span.model_request_end'> =>
      event.type === 'span.model_request_end' && event.model_request_start_id === start.id,
  );
  return end === undefined || end.is_error === true;
}

function lastRequestStart(
  log: readonly LogEvent[],
): LogEvent<'span.model_request_start'> | undefined {
  return log.findLast(
    (event): event is LogEvent<'span.model_request_start'> =>
      event.type === 'span.model_request_start',
  );
}

/**
 * `seq` of the last interrupt, or of the end of the last failed run. Earlier events need no response.
 */
function lastSettledSeq(log: readonly LogEvent[]): number {
  const event = log.findLast(
    (event) =>
      event.type === 'user.interrupt' ||
      (event.type === 'session.status_idle' &&
        (event.stop_reason.type === 'budget_reached' ||
          event.stop_reason.type === 'retries_exhausted')),
  );
  return event?.seq ?? 0;
}

/** Whether the session was terminated. */
export function isTerminated(log: readonly LogEvent[]): boolean {
  return log.some((event) => event.type === 'session.status_terminated');
}

/** Whether the log shows a run in progress, possibly in a process that died. */
export function isRunOpen(log: readonly LogEvent[]): boolean {
  const last = log.findLast((event) => event.type.startsWith('session.status_'));
  return last?.type === 'session.status_running' || last?.type === 'session.status_rescheduled';
}
