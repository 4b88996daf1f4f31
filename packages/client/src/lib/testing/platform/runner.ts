import type { UserEventInput } from '@inlay/protocol';
import type { Clock } from '../../ports.ts';
import { Pause } from '../../wait.ts';
import type { Gates } from '../gates.ts';
import {
  type AnswerOption,
  type CallStep,
  fragmentsOf,
  requestsOf,
  type SayStep,
  type ScriptStep,
  stepsFor,
  type ThinkStep,
} from './script.ts';
import { type LoggedEvent, type ScriptedSession, textIn } from './session.ts';
import type { StreamedOutput } from './streamed-output.ts';
import { suggest, ToolCalls } from './tool-calls.ts';

export interface RunnerPorts {
  readonly clock: Clock;
  readonly answer: () => AnswerOption;
  readonly gates: Gates;
}

/** An answer in progress: the user's message, and the remaining model requests with their steps. */
interface Turn {
  readonly question: string;
  readonly requests: ScriptStep[][];
}

type RequestOutcome = 'done' | 'stopped' | 'failed';

/** Answers the messages of one session with the script, one run at a time. */
export class Runner {
  readonly #session: ScriptedSession;
  readonly #ports: RunnerPorts;
  readonly #calls: ToolCalls;
  #isWorking = false;
  #hasNewEvents = false;
  #stop = new AbortController();
  /** `seq` up to which all messages are answered or interrupted. */
  #answeredSeq = 0;
  #turn: Turn | null = null;

  constructor(session: ScriptedSession, ports: RunnerPorts) {
    this.#session = session;
    this.#ports = ports;
    this.#calls = new ToolCalls(session, (milliseconds) => this.#pause(milliseconds));
  }

  /** Processes new events of the user. An interrupt takes effect immediately. */
  handleInputs(events: readonly LoggedEvent[]): void {
    const stop = events.findLast(({ type }) => type === 'user.interrupt');
    // An interrupt because of a change of branch is followed by the event of the new branch.
    const isLast = stop === events.at(-1);
    if (stop) {
      this.#answeredSeq = stop.seq;
      this.#stop.abort();
    }
    this.#hasNewEvents = true;
    if (!this.#isWorking) void this.#work(stop !== undefined && isLast);
  }

  /** Stops the current answer, and answers no further messages. */
  close(): void {
    this.#answeredSeq = Infinity;
    this.#stop.abort();
  }

  /**
   * Returns the waiting tool call that an input answers; null for other inputs. Throws if the call is
   * not waiting.
   *
   * @param index Index of the input in the request.
   */
  check(input: UserEventInput, index: number): LoggedEvent | null {
    if (input.type === 'user.tool_confirmation') {
      return this.#calls.checkConfirmation(input.tool_use_id, `/events/${index}/tool_use_id`);
    }
    if (input.type === 'user.custom_tool_result') {
      const pointer = `/events/${index}/custom_tool_use_id`;
      return this.#calls.checkResult(input.custom_tool_use_id, pointer);
    }
    return null;
  }

  async #work(isStopped: boolean): Promise<void> {
    this.#isWorking = true;
    try {
      while (this.#hasNewEvents) {
        this.#hasNewEvents = false;
        this.#stop = new AbortController();
        await this.#continue();
      }
    } finally {
      this.#isWorking = false;
    }
    if (isStopped && this.#needsTest) this.#session.end();
  }

  /** Whether a message has no complete answer because the test sends the events. */
  get #needsTest(): boolean {
    const { log, running } = this.#session;
    const last = log.findLast((event) => needsAnswer(event) || event.type === idleType);
    return running || (last !== undefined && needsAnswer(last));
  }

  async #continue(): Promise<void> {
    if (this.#calls.waiting > 0) {
      const outcome = await this.#calls.settle();
      if (outcome === 'waiting') return;
      if (outcome === 'dropped') this.#turn = null;
      if (this.#turn) await this.#play(this.#turn);
      else if (!this.#unanswered) this.#session.end();
    }
    while (this.#calls.waiting === 0) {
      const message = this.#unanswered;
      if (!message) return;
      this.#answeredSeq = message.seq;
      const question = questionIn(message);
      const { id: sessionId, user } = this.#session;
      const steps = stepsFor(this.#ports.answer(), { text: question, sessionId, user });
      if (steps) await this.#play({ question, requests: requestsOf(steps) });
    }
  }

  /** Returns the newest unanswered message. Its answer also answers earlier ones. */
  get #unanswered(): LoggedEvent | null {
    const last = this.#session.log.findLast(needsAnswer);
    return last && last.seq > this.#answeredSeq ? last : null;
  }

  async #play(turn: Turn): Promise<void> {
    const session = this.#session;
    // An earlier interrupt does not apply to this run.
    this.#stop = new AbortController();
    this.#turn = turn;
    for (let request = turn.requests.shift(); request; request = turn.requests.shift()) {
      this.#calls.beginRun();
      if (session.overBudget) {
        session.append(budgetError);
        return this.#finish('budget_reached');
      }
      const calls: CallStep[] = [];
      const end = await this.#request(request, turn, calls);
      if (end === 'failed') return this.#finish('retries_exhausted');
      if (end === 'stopped') return this.#finish('end_turn');
      const waiting = await this.#calls.run(calls);
      // Suggestions after a text need no further request.
      if (calls.length > 0 && calls.every(({ call }) => call === suggest) && hasText(request)) {
        turn.requests.splice(0, turn.requests.findIndex((next) => next.length > 0) >>> 0);
      }
      if (this.#stop.signal.aborted) return this.#finish('end_turn');
      if (waiting.length > 0) return session.end('requires_action', waiting);
    }
    // Messages that arrived meanwhile are answered in the same run.
    this.#turn = null;
    if (!this.#unanswered) session.end();
  }

  #finish(reason: string): void {
    this.#turn = null;
    if (reason !== 'end_turn') this.#answeredSeq = this.#session.log.length;
    if (reason !== 'end_turn' || !this.#unanswered) this.#session.end(reason);
  }

  /** Runs the steps of one model request. */
  async #request(
    steps: readonly ScriptStep[],
    turn: Turn,
    calls: CallStep[],
  ): Promise<RequestOutcome> {
    const session = this.#session;
    const [start] = session.append({ type: 'span.model_request_start' });
    let output: StreamedOutput | null = null;
    let end: RequestOutcome = 'done';
    let failure: ScriptStep & { fail: string } = { fail: '' };
    for (const step of steps) {
      if (step.when && step.when !== this.#calls.outcome) continue;
      if ('call' in step) calls.push(step);
      else if ('cite' in step) output?.cite(step.cite);
      else if ('wait_ms' in step) await this.#pause(step.wait_ms);
      else if ('hold' in step) await this.#ports.gates.wait(step.hold, this.#stop.signal);
      else if ('spend_cents' in step) session.spent += step.spend_cents;
      else if ('fail' in step) {
        end = 'failed';
        failure = step;
      } else output = await this.#stream(step, turn, output);
      if (this.#stop.signal.aborted) end = 'stopped';
      if (end !== 'done') break;
    }
    output?.finish(incompleteReasons[end]);
    // Calls of an incomplete answer are dropped.
    if (end !== 'done') calls.length = 0;
    this.#calls.log(calls);
    session.append({
      type: 'span.model_request_end',
      model_request_start_id: start?.id,
      is_error: end === 'failed',
      finish_reason: finishReasons[end] ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
      model_usage: { input_tokens: 0, output_tokens: 0 },
    });
    if (end === 'failed') session.append(modelError(failure.retryable === true));
    return end;
  }

  /** Streams text in the open output of the same type, or in a new one. */
  async #stream(
    step: SayStep | ThinkStep,
    turn: Turn,
    open: StreamedOutput | null,
  ): Promise<StreamedOutput | null> {
    const [type, text] =
      'say' in step
        ? (['agent.message', step.say] as const)
        : (['agent.thinking', step.think] as const);
    let output = open;
    if (output && output.type !== type) {
      output.finish();
      output = null;
    }
    for (const fragment of fragmentsOf(this.#fill(text, turn))) {
      await this.#pause(step.delay_ms ?? 0);
      if (this.#stop.signal.aborted) break;
      output ??= this.#session.start(type);
      output.add(fragment);
    }
    return output;
  }

  #fill(text: string | readonly string[], turn: Turn): string | readonly string[] {
    const fill = (template: string) =>
      template.replaceAll(/\{(text|result)\}/g, (_, name: string) =>
        name === 'text' ? turn.question : this.#calls.result,
      );
    return typeof text === 'string' ? fill(text) : text.map(fill);
  }

  async #pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await new Pause(this.#ports.clock).wait(milliseconds, this.#stop.signal);
  }
}

const idleType = 'session.status_idle';

/** Whether an event needs an answer. */
function needsAnswer({ type }: LoggedEvent): boolean {
  return type === 'user.message' || type === 'user.card_action';
}

/** Returns an event as text for the model. */
function questionIn(event: LoggedEvent): string {
  const { type, action, values } = event;
  if (type === 'user.message') return textIn(event);
  return `[Answer to the card]\n${JSON.stringify({ action, values })}`;
}

function hasText(steps: readonly ScriptStep[]): boolean {
  return steps.some((step) => 'say' in step);
}

const finishReasons = { done: undefined, stopped: 'interrupted', failed: 'error' } as const;
const incompleteReasons = { done: undefined, stopped: 'interrupted', failed: 'failed' } as const;

const budgetError = {
  type: 'session.error',
  error: {
    type: 'billing_error',
    code: 'EMBED_BUDGET_EXCEEDED',
    message: 'The budget of this conversation is used up.',
    retry_status: { type: 'terminal' },
  },
};

function modelError(retryable: boolean) {
  const message = retryable
    ? 'The model did not complete its answer. Try again later.'
    : 'The model rejected the request.';
  const retry_status = { type: retryable ? 'exhausted' : 'terminal' };
  return {
    type: 'session.error',
    error: { type: 'model_request_failed_error', message, retry_status },
  };
}
