import { textOf } from '@inlay/protocol';
import { cardErrors } from './check-card.ts';
import { inputHash } from './input-hash.ts';
import { invalidField, Refusal } from './refusal.ts';
import type { CallStep } from './script.ts';
import type { EventDraft, LoggedEvent, ScriptedSession } from './session.ts';

/** A tool call of the script in the log. */
interface Call {
  readonly id: string;
  readonly seq: number;
  readonly step: CallStep;
}

/** The tool calls of a session, which the platform, the user or the page answers. */
export class CallDesk {
  readonly #session: ScriptedSession;
  readonly #pause: (milliseconds: number) => Promise<void>;
  #announced: Call[] = [];
  #waiting: Call[] = [];
  /** Ids of the page's calls that the user allowed and the page has not answered. */
  readonly #allowed = new Set<string>();
  /** The last tool result, for `{result}` and `when`. */
  result = '';
  outcome: 'ok' | 'error' = 'ok';

  constructor(session: ScriptedSession, pause: (milliseconds: number) => Promise<void>) {
    this.#session = session;
    this.#pause = pause;
  }

  /** Number of calls that wait for the user or the page. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Logs that a run is running, if it is not logged yet. */
  begin(): void {
    if (!this.#session.running) this.#session.begin();
  }

  /** Logs the calls of a request. */
  announce(steps: readonly CallStep[]): void {
    this.#announced = steps.flatMap((step) => {
      const shown = show(step);
      const [event] = this.#session.append(shown ?? callOf(step));
      return event && !shown ? [{ id: event.id, seq: event.seq, step }] : [];
    });
  }

  /** Runs the calls that need no answer. Returns the ids of the others. */
  async open(steps: readonly CallStep[]): Promise<string[]> {
    const calls = this.#announced.filter(({ step }) => steps.includes(step));
    const waits = ({ runs_on, permission }: CallStep) => runs_on === 'page' || permission === 'ask';
    for (const call of calls) if (!waits(call.step)) await this.#run(call);
    this.#waiting = calls.filter(({ step }) => waits(step));
    return this.#waiting.map(({ id }) => id);
  }

  /**
   * Settles the pending calls that were answered. `dropped`: the user stopped the run or continued
   * without an answer, so the rest of the script is dropped.
   */
  async look(): Promise<'waiting' | 'settled' | 'dropped'> {
    let changed = false;
    let dropped = false;
    for (const call of [...this.#waiting]) {
      const end = this.#endOf(call);
      if (!end) continue;
      const isPages = call.step.runs_on === 'page';
      if (end === 'allowed' && isPages) {
        changed ||= !this.#allowed.has(call.id);
        this.#allowed.add(call.id);
        continue;
      }
      changed = true;
      dropped ||= end === 'stopped' || end === 'passed over';
      this.#waiting = this.#waiting.filter((other) => other !== call);
      if (end === 'allowed') {
        this.begin();
        await this.#run(call);
      } else if (typeof end === 'string') {
        this.#refuse(call, end === 'stopped' ? stopped : passedOver);
      } else if (end.type === 'user.custom_tool_result') {
        this.#note(textOf(end.content as Parameters<typeof textOf>[0]), end.is_error === true);
      } else {
        this.#refuse(call, typeof end.deny_message === 'string' ? end.deny_message : denied);
      }
    }
    if (dropped) return 'dropped';
    if (this.#waiting.length === 0) return 'settled';
    const ids = this.#waiting.map(({ id }) => id);
    if (changed) this.#session.end('requires_action', ids);
    return 'waiting';
  }

  /** Returns how a call was settled: by an event, or by another cause; null if it is pending. */
  #endOf({ id, seq, step }: Call): LoggedEvent | 'allowed' | 'stopped' | 'passed over' | null {
    const since = this.#session.log.slice(seq);
    const answer = since.find((event) => event.custom_tool_use_id === id);
    if (answer) return answer;
    if (since.some(({ type }) => type === 'user.interrupt')) return 'stopped';
    const answered = since.find((event) => event.type === confirmation && event.tool_use_id === id);
    if (answered?.result === 'deny' || (answered && step.runs_on !== 'page')) {
      return answered.result === 'deny' ? answered : 'allowed';
    }
    if (since.some(({ type }) => goesOn.has(type))) return 'passed over';
    return answered ? 'allowed' : null;
  }

  async #run({ id, step }: Call): Promise<void> {
    await this.#pause(step.delay_ms ?? 0);
    // A built-in call that was not shown had an invalid input.
    const faults = step.call === showCard ? cardErrors(step.input) : [];
    if (step.call === suggest) faults.push('/prompts must hold 1 to 4 texts');
    if (faults.length > 0) {
      return this.#answer(id, `Nothing was shown.\n${faults.join('\n')}`, true);
    }
    this.#answer(id, step.result ?? 'Done.', step.is_error === true);
  }

  #refuse({ id, step }: Call, reason: string): void {
    this.#note(reason, true);
    // Only the page submits results of its tools.
    if (step.runs_on === 'page' && (step.permission !== 'ask' || this.#allowed.has(id))) return;
    this.begin();
    this.#answer(id, reason, true);
  }

  #answer(tool_use_id: string, text: string, is_error: boolean): void {
    this.#note(text, is_error);
    const content = [{ type: 'text', text }];
    this.#session.append({ type: 'agent.tool_result', tool_use_id, content, is_error });
  }

  #note(result: string, isError: boolean): void {
    this.result = result;
    this.outcome = isError ? 'error' : 'ok';
  }

  /** Returns the call of a confirmation. Throws if there is none or it is settled. */
  checkConfirmation(callId: string, pointer: string): LoggedEvent {
    const call = this.#find(callId, [serverCall, pageCall], pointer);
    const { log } = this.#session;
    const needsNone = call.type === pageCall && call.evaluated_permission !== 'ask';
    if (needsNone || isSettled(log, call) || confirmationOf(log, call)) throw notWaiting(callId);
    return call;
  }

  /** Returns the call of a result. Throws if the page may not answer it. */
  checkResult(callId: string, pointer: string): LoggedEvent {
    const call = this.#find(callId, [pageCall], pointer);
    const { log } = this.#session;
    const answered = confirmationOf(log, call);
    if (isSettled(log, call) || answered?.result === 'deny') throw notWaiting(callId);
    if (call.evaluated_permission === 'ask' && !answered) {
      throw new Refusal('TOOL_CONFIRMATION_REQUIRED');
    }
    return call;
  }

  #find(callId: string, types: readonly string[], pointer: string): LoggedEvent {
    const call = this.#session.log.find(({ id, type }) => id === callId && types.includes(type));
    if (call) return call;
    const names = types.map((type) => `\`${type}\``).join(' or ');
    throw invalidField(pointer, `must be the id of an ${names} of this session`);
  }
}

/** Returns the event that a built-in call shows; null for other and invalid calls. */
function show({ call, input = {} }: CallStep): EventDraft | null {
  if (call === showCard && cardErrors(input).length === 0) {
    return { type: 'agent.card', card: input };
  }
  const { prompts } = input;
  if (call !== suggest || !Array.isArray(prompts) || !prompts[0] || prompts[4]) return null;
  return { type: 'agent.suggestions', prompts: prompts.map((label) => ({ label: String(label) })) };
}

function callOf(step: CallStep): EventDraft {
  const { call: name, input = {}, runs_on, permission = 'allow', explanation } = step;
  return {
    type: runs_on === 'page' ? pageCall : serverCall,
    name,
    input,
    evaluated_permission: permission,
    input_hash: inputHash(name, input),
    ...(explanation !== undefined && { explanation }),
  };
}

/**
 * Whether a call was answered, stopped or skipped, by the log, so that calls which a test appended
 * can be answered as well.
 */
function isSettled(log: readonly LoggedEvent[], call: LoggedEvent): boolean {
  return log
    .slice(call.seq)
    .some(
      ({ type, ...event }) =>
        (event.tool_use_id === call.id && type !== confirmation) ||
        event.custom_tool_use_id === call.id ||
        goesOn.has(type) ||
        type === 'user.interrupt',
    );
}

/** Returns the first confirmation of a call. Later ones are ignored. */
function confirmationOf(log: readonly LoggedEvent[], call: LoggedEvent): LoggedEvent | undefined {
  return log.find(({ type, tool_use_id }) => type === confirmation && tool_use_id === call.id);
}

function notWaiting(callId: string): Refusal {
  const detail = `The call ${callId} does not wait for an answer any more.`;
  return new Refusal('CONFLICT', { detail });
}

/** Built-in tools. */
const showCard = 'show_card';
export const suggest = 'suggest_replies';

const goesOn = new Set(['user.message', 'user.card_action']);
const serverCall = 'agent.tool_use';
const pageCall = 'agent.custom_tool_use';
const confirmation = 'user.tool_confirmation';
const stopped = 'The person stopped this call.';
const denied = 'The person did not allow this call.';
const passedOver = 'The person went on without answering this call.';
