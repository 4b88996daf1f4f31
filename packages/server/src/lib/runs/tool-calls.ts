import { type LogEvent, textOf } from '@inlay/protocol';
import { inputHash } from './input-hash.ts';

/**
 * State of a tool call:
 *
 * - `ready`: the server may run the call.
 * - `approval`: the user must confirm the call before the server or the host page runs it.
 * - `waiting`: the host page must send a result.
 * - `refused`: the user denied the call, sent another message instead, or interrupted the run.
 * - `answered`: the result is in the log.
 */
export type ToolCallState = 'ready' | 'approval' | 'waiting' | 'refused' | 'answered';

/** A tool call with its current state. */
export interface ToolCall {
  readonly id: string;
  readonly seq: number;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly runsOn: 'server' | 'host';
  readonly state: ToolCallState;
  /** The result of an answered call, or the reason for the refusal; otherwise empty. */
  readonly result: string;
  readonly isError: boolean;
  /**
   * Whether a refused call still needs an `agent.tool_result` with the reason. An allowed call of the
   * host page needs none, because only the host page sends results of such calls.
   */
  readonly needsResult: boolean;
}

type CallEvent = LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>;

/** All tool calls of a log in order, with their state at the end of the log. */
export function toolCallsOf(log: readonly LogEvent[]): ToolCall[] {
  const answers = collectAnswers(log);
  return log
    .filter(
      (event): event is CallEvent =>
        event.type === 'agent.tool_use' || event.type === 'agent.custom_tool_use',
    )
    .map((event) => ({
      id: event.id,
      seq: event.seq,
      name: event.name,
      input: event.input,
      runsOn: event.type === 'agent.tool_use' ? 'server' : 'host',
      ...statusOf(event, answers),
    }));
}

/** The events of a log that answer, confirm or refuse calls. */
interface CallAnswers {
  readonly results: ReadonlyMap<string, LogEvent<'agent.tool_result' | 'user.custom_tool_result'>>;
  readonly confirmations: readonly LogEvent<'user.tool_confirmation'>[];
  readonly lastMessageSeq: number;
  readonly lastInterruptSeq: number;
}

function collectAnswers(log: readonly LogEvent[]): CallAnswers {
  const results = new Map<string, LogEvent<'agent.tool_result' | 'user.custom_tool_result'>>();
  const confirmations: LogEvent<'user.tool_confirmation'>[] = [];
  let lastMessageSeq = 0;
  let lastInterruptSeq = 0;
  for (const event of log) {
    if (event.type === 'agent.tool_result') results.set(event.tool_use_id, event);
    if (event.type === 'user.custom_tool_result') results.set(event.custom_tool_use_id, event);
    if (event.type === 'user.tool_confirmation') confirmations.push(event);
    if (event.type === 'user.message' || event.type === 'user.card_action')
      lastMessageSeq = event.seq;
    if (event.type === 'user.interrupt') lastInterruptSeq = event.seq;
  }
  return { results, confirmations, lastMessageSeq, lastInterruptSeq };
}

type CallStatus = Pick<ToolCall, 'state' | 'result' | 'isError' | 'needsResult'>;

function statusOf(event: CallEvent, answers: CallAnswers): CallStatus {
  const result = answers.results.get(event.id);
  if (result) {
    return {
      state: 'answered',
      result: textOf(result.content ?? []),
      isError: result.is_error === true,
      needsResult: false,
    };
  }
  const needsApproval = event.evaluated_permission === 'ask';
  // The first confirmation counts: a second tab cannot allow a call that the first has denied.
  const confirmation = answers.confirmations.find((candidate) => isForCall(candidate, event));
  const runsOnHost = event.type === 'agent.custom_tool_use';
  const wasAllowed =
    !needsApproval || (confirmation !== undefined && confirmation.result !== 'deny');
  const refused = (reason: string): CallStatus => ({
    state: 'refused',
    result: reason,
    isError: true,
    needsResult: !runsOnHost || !wasAllowed,
  });
  if (answers.lastInterruptSeq > event.seq) return refused('The user stopped this call.');
  if (confirmation?.result === 'deny') {
    return refused(confirmation.deny_message || 'The user did not allow this call.');
  }
  const state = !wasAllowed ? 'approval' : runsOnHost ? 'waiting' : 'ready';
  if (state !== 'ready' && answers.lastMessageSeq > event.seq) {
    return refused('The user continued without answering this call.');
  }
  return { state, result: '', isError: false, needsResult: false };
}

/** Whether a confirmation is for exactly this call. Confirmations in older logs have no hash. */
function isForCall(confirmation: LogEvent<'user.tool_confirmation'>, call: CallEvent): boolean {
  if (confirmation.tool_use_id !== call.id) return false;
  return confirmation.input_hash == null || confirmation.input_hash === inputHash(call);
}
