import { Card, textOf } from '@inlay/protocol';
import { findCardErrors } from '@inlay/protocol/check-card';
import { inputHash } from './input-hash.ts';
import { invalidField, ProblemError } from './problem-error.ts';
import type { CallStep } from './script.ts';
import type { EventDraft, LoggedEvent, ScriptedSession } from './session.ts';

/** A logged tool call of the script. */
interface Call {
  readonly id: string;
  readonly seq: number;
  readonly step: CallStep;
}

/** Runs the tool calls of a session: on the platform, or by waiting for the user or the page. */
export class ToolCalls {
  readonly #session: ScriptedSession;
  readonly #pause: (milliseconds: number) => Promise<void>;
  #loggedCalls: Call[] = [];
  #waiting: Call[] = [];
  /** Ids of calls that the user allowed and that wait for the result of the page. */
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

  /** Logs the start of a run, unless a run is in progress. */
  beginRun(): void {
    if (!this.#session.running) this.#session.begin();
  }

  /** Logs the calls of a model request. */
  log(steps: readonly CallStep[]): void {
    this.#loggedCalls = steps.flatMap((step) => {
      const shownEvent = builtInEvent(step);
      const [event] = this.#session.append(shownEvent ?? callEvent(step));
      return event && !shownEvent ? [{ id: event.id, seq: event.seq, step }] : [];
    });
  }

  /** Runs the calls that need neither the user nor the page. Returns the ids of the other calls. */
  async run(steps: readonly CallStep[]): Promise<string[]> {
    const calls = this.#loggedCalls.filter(({ step }) => steps.includes(step));
    const waits = ({ runs_on, permission }: CallStep) => runs_on === 'page' || permission === 'ask';
    for (const call of calls) if (!waits(call.step)) await this.#run(call);
    this.#waiting = calls.filter(({ step }) => waits(step));
    return this.#waiting.map(({ id }) => id);
  }

  /**
   * Completes the waiting calls that the user or the page has answered. Resolves with `dropped` if the
   * user stopped the run or sent a message instead: the rest of the script is then dropped.
   */
  async settle(): Promise<'waiting' | 'settled' | 'dropped'> {
    let changed = false;
    let dropped = false;
    for (const call of [...this.#waiting]) {
      const answer = this.#answerTo(call);
      if (!answer) continue;
      const runsOnPage = call.step.runs_on === 'page';
      if (answer === 'allowed' && runsOnPage) {
        changed ||= !this.#allowed.has(call.id);
        this.#allowed.add(call.id);
        continue;
      }
      changed = true;
      dropped ||= answer === 'stopped' || answer === 'skipped';
      this.#waiting = this.#waiting.filter((other) => other !== call);
      if (answer === 'allowed') {
        this.beginRun();
        await this.#run(call);
      } else if (typeof answer === 'string') {
        this.#fail(call, answer === 'stopped' ? stoppedReason : skippedReason);
      } else if (answer.type === 'user.custom_tool_result') {
        this.#setResult(
          textOf(answer.content as Parameters<typeof textOf>[0]),
          answer.is_error === true,
        );
      } else {
        this.#fail(
          call,
          typeof answer.deny_message === 'string' ? answer.deny_message : deniedReason,
        );
      }
    }
    if (dropped) return 'dropped';
    if (this.#waiting.length === 0) return 'settled';
    const ids = this.#waiting.map(({ id }) => id);
    if (changed) this.#session.end('requires_action', ids);
    return 'waiting';
  }

  /** Returns the event that completes a call, or another outcome; null while the call is pending. */
  #answerTo({ id, seq, step }: Call): LoggedEvent | 'allowed' | 'stopped' | 'skipped' | null {
    const later = this.#session.log.slice(seq);
    const result = later.find((event) => event.custom_tool_use_id === id);
    if (result) return result;
    if (later.some(({ type }) => type === 'user.interrupt')) return 'stopped';
    const decision = later.find((event) => event.type === confirmation && event.tool_use_id === id);
    if (decision?.result === 'deny' || (decision && step.runs_on !== 'page')) {
      return decision.result === 'deny' ? decision : 'allowed';
    }
    if (later.some(({ type }) => continuations.has(type))) return 'skipped';
    return decision ? 'allowed' : null;
  }

  async #run({ id, step }: Call): Promise<void> {
    await this.#pause(step.delay_ms ?? 0);
    // A built-in call that was not shown has invalid input.
    const faults = step.call === showCard ? cardErrors(step.input) : [];
    if (step.call === suggest) faults.push('/prompts must contain 1 to 4 texts');
    if (faults.length > 0) {
      return this.#logResult(id, `Nothing was shown.\n${faults.join('\n')}`, true);
    }
    this.#logResult(id, step.result ?? 'Done.', step.is_error === true);
  }

  #fail({ id, step }: Call, reason: string): void {
    this.#setResult(reason, true);
    // The results of the page's tools are logged only if the page submits them.
    if (step.runs_on === 'page' && (step.permission !== 'ask' || this.#allowed.has(id))) return;
    this.beginRun();
    this.#logResult(id, reason, true);
  }

  #logResult(tool_use_id: string, text: string, is_error: boolean): void {
    this.#setResult(text, is_error);
    const content = [{ type: 'text', text }];
    this.#session.append({ type: 'agent.tool_result', tool_use_id, content, is_error });
  }

  #setResult(result: string, isError: boolean): void {
    this.result = result;
    this.outcome = isError ? 'error' : 'ok';
  }

  /** Returns the call of a confirmation. Throws if there is none, or if it needs no confirmation. */
  checkConfirmation(callId: string, pointer: string): LoggedEvent {
    const call = this.#find(callId, [serverCall, pageCall], pointer);
    const { log } = this.#session;
    const needsNoDecision = call.type === pageCall && call.evaluated_permission !== 'ask';
    if (needsNoDecision || isSettled(log, call) || confirmationOf(log, call))
      throw notWaitingError(callId);
    return call;
  }

  /** Returns the call of a result. Throws if the page may not submit a result. */
  checkResult(callId: string, pointer: string): LoggedEvent {
    const call = this.#find(callId, [pageCall], pointer);
    const { log } = this.#session;
    const decision = confirmationOf(log, call);
    if (isSettled(log, call) || decision?.result === 'deny') throw notWaitingError(callId);
    if (call.evaluated_permission === 'ask' && !decision) {
      throw new ProblemError('TOOL_CONFIRMATION_REQUIRED');
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

/** Returns the event that a built-in call adds to the conversation; null for other and invalid calls. */
function builtInEvent({ call, input = {} }: CallStep): EventDraft | null {
  if (call === showCard && cardErrors(input).length === 0) {
    return { type: 'agent.card', card: input };
  }
  const { prompts } = input;
  if (call !== suggest || !Array.isArray(prompts) || !prompts[0] || prompts[4]) return null;
  return { type: 'agent.suggestions', prompts: prompts.map((label) => ({ label: String(label) })) };
}

function callEvent(step: CallStep): EventDraft {
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
 * Whether the log contains an event that completes a call. Reads only the log, so that calls that a test
 * appended are included.
 */
function isSettled(log: readonly LoggedEvent[], call: LoggedEvent): boolean {
  return log
    .slice(call.seq)
    .some(
      ({ type, ...event }) =>
        (event.tool_use_id === call.id && type !== confirmation) ||
        event.custom_tool_use_id === call.id ||
        continuations.has(type) ||
        type === 'user.interrupt',
    );
}

/** Returns the first confirmation of a call. Later confirmations are ignored. */
function confirmationOf(log: readonly LoggedEvent[], call: LoggedEvent): LoggedEvent | undefined {
  return log.find(({ type, tool_use_id }) => type === confirmation && tool_use_id === call.id);
}

function notWaitingError(callId: string): ProblemError {
  const detail = `The call ${callId} is not waiting for an answer.`;
  return new ProblemError('CONFLICT', { detail });
}

/** Built-in tools. */
const showCard = 'show_card';
export const suggest = 'suggest_replies';

const continuations = new Set(['user.message', 'user.card_action']);
const serverCall = 'agent.tool_use';
const pageCall = 'agent.custom_tool_use';
const confirmation = 'user.tool_confirmation';
const stoppedReason = 'The user stopped this call.';
const deniedReason = 'The user did not allow this call.';
const skippedReason = 'The user continued without answering this call.';

/** Returns the errors in a card, as the agent receives them. */
function cardErrors(input: unknown): string[] {
  const result = Card.safeParse(input);
  if (!result.success) {
    return result.error.issues.map(
      ({ path, message }) => `/${path.map(String).join('/')} ${message}`,
    );
  }
  return findCardErrors(result.data).map(({ pointer, message }) => `${pointer || '/'} ${message}`);
}
