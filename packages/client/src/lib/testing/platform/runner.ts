import type { UserEventInput } from '@inlay/protocol';
import type { Clock } from '../../ports.ts';
import { Pause } from '../../wait.ts';
import type { Gates } from '../gates.ts';
import { CallDesk, suggest } from './call-desk.ts';
import type { Part } from './part.ts';
import {
  type AnswerOption,
  type CallStep,
  fragmentsOf,
  roundsOf,
  type SayStep,
  type ScriptStep,
  stepsFor,
  type ThinkStep,
} from './script.ts';
import { type LoggedEvent, type ScriptedSession, textIn } from './session.ts';

export interface RunnerPorts {
  readonly clock: Clock;
  readonly answer: () => AnswerOption;
  readonly gates: Gates;
}

/** A running answer: the rest of its script and its tool results. */
interface Turn {
  readonly question: string;
  readonly rounds: ScriptStep[][];
}

type RoundEnd = 'done' | 'stopped' | 'failed';

/** Runs the script of one session, one run at a time. */
export class Runner {
  readonly #session: ScriptedSession;
  readonly #ports: RunnerPorts;
  readonly #desk: CallDesk;
  #busy = false;
  #woken = false;
  #stop = new AbortController();
  /** `seq` of the last answered message. */
  #settled = 0;
  #turn: Turn | null = null;

  constructor(session: ScriptedSession, ports: RunnerPorts) {
    this.#session = session;
    this.#ports = ports;
    this.#desk = new CallDesk(session, (milliseconds) => this.#pause(milliseconds));
  }

  /** Processes new events of the user. An interrupt works at once. */
  take(events: readonly LoggedEvent[]): void {
    const stop = events.findLast(({ type }) => type === 'user.interrupt');
    // An interrupt that leaves a branch is followed by the event of the new branch.
    const isAlone = stop === events.at(-1);
    if (stop) {
      this.#settled = stop.seq;
      this.#stop.abort();
    }
    this.#woken = true;
    if (!this.#busy) void this.#work(stop !== undefined && isAlone);
  }

  /** Ends the runner. */
  close(): void {
    this.#settled = Infinity;
    this.#stop.abort();
  }

  /**
   * Returns the pending call that an input answers. Throws if there is none.
   *
   * @param at Index of the input in the request.
   */
  check(input: UserEventInput, at: number): LoggedEvent | null {
    if (input.type === 'user.tool_confirmation') {
      return this.#desk.checkConfirmation(input.tool_use_id, `/events/${at}/tool_use_id`);
    }
    if (input.type === 'user.custom_tool_result') {
      const pointer = `/events/${at}/custom_tool_use_id`;
      return this.#desk.checkResult(input.custom_tool_use_id, pointer);
    }
    return null;
  }

  async #work(stopped: boolean): Promise<void> {
    this.#busy = true;
    try {
      while (this.#woken) {
        this.#woken = false;
        this.#stop = new AbortController();
        await this.#goOn();
      }
    } finally {
      this.#busy = false;
    }
    if (stopped && this.#playedByHand) this.#session.end();
  }

  /** Whether a test must send an answer or finish one. */
  get #playedByHand(): boolean {
    const { log, running } = this.#session;
    const last = log.findLast((event) => asks(event) || event.type === idle);
    return running || (last !== undefined && asks(last));
  }

  async #goOn(): Promise<void> {
    if (this.#desk.waiting > 0) {
      const outcome = await this.#desk.look();
      if (outcome === 'waiting') return;
      if (outcome === 'dropped') this.#turn = null;
      if (this.#turn) await this.#play(this.#turn);
      else if (!this.#unanswered) this.#session.end();
    }
    while (this.#desk.waiting === 0) {
      const message = this.#unanswered;
      if (!message) return;
      this.#settled = message.seq;
      const question = questionIn(message);
      const { id: sessionId, user } = this.#session;
      const steps = stepsFor(this.#ports.answer(), { text: question, sessionId, user });
      if (steps) await this.#play({ question, rounds: roundsOf(steps) });
    }
  }

  /** Returns the newest unanswered message. Its answer also answers earlier ones. */
  get #unanswered(): LoggedEvent | null {
    const last = this.#session.log.findLast(asks);
    return last && last.seq > this.#settled ? last : null;
  }

  async #play(turn: Turn): Promise<void> {
    const session = this.#session;
    // An earlier interrupt does not apply to this run.
    this.#stop = new AbortController();
    this.#turn = turn;
    for (let round = turn.rounds.shift(); round; round = turn.rounds.shift()) {
      this.#desk.begin();
      if (session.overBudget) {
        session.append(budgetError);
        return this.#finish('budget_reached');
      }
      const calls: CallStep[] = [];
      const end = await this.#ask(round, turn, calls);
      if (end === 'failed') return this.#finish('retries_exhausted');
      if (end === 'stopped') return this.#finish('end_turn');
      const waiting = await this.#desk.open(calls);
      // Cards and suggestions need no further request.
      if (calls.length > 0 && calls.every(({ call }) => call === suggest) && isSaid(round)) {
        turn.rounds.splice(0, turn.rounds.findIndex((next) => next.length > 0) >>> 0);
      }
      if (this.#stop.signal.aborted) return this.#finish('end_turn');
      if (waiting.length > 0) return session.end('requires_action', waiting);
    }
    // New messages are answered in the same run.
    this.#turn = null;
    if (!this.#unanswered) session.end();
  }

  #finish(reason: string): void {
    this.#turn = null;
    if (reason !== 'end_turn') this.#settled = this.#session.log.length;
    if (reason !== 'end_turn' || !this.#unanswered) this.#session.end(reason);
  }

  /** Runs one request to the model. */
  async #ask(round: readonly ScriptStep[], turn: Turn, calls: CallStep[]): Promise<RoundEnd> {
    const session = this.#session;
    const [start] = session.append({ type: 'span.model_request_start' });
    let part: Part | null = null;
    let end: RoundEnd = 'done';
    let failure: ScriptStep & { fail: string } = { fail: '' };
    for (const step of round) {
      if (step.when && step.when !== this.#desk.outcome) continue;
      if ('call' in step) calls.push(step);
      else if ('cite' in step) part?.cite(step.cite);
      else if ('wait_ms' in step) await this.#pause(step.wait_ms);
      else if ('hold' in step) await this.#ports.gates.pass(step.hold, this.#stop.signal);
      else if ('spend_cents' in step) session.spent += step.spend_cents;
      else if ('fail' in step) {
        end = 'failed';
        failure = step;
      } else part = await this.#stream(step, turn, part);
      if (this.#stop.signal.aborted) end = 'stopped';
      if (end !== 'done') break;
    }
    part?.finish(incomplete[end]);
    // Calls of an incomplete answer are dropped.
    if (end !== 'done') calls.length = 0;
    this.#desk.announce(calls);
    session.append({
      type: 'span.model_request_end',
      model_request_start_id: start?.id,
      is_error: end === 'failed',
      model_usage: { input_tokens: 0, output_tokens: 0 },
    });
    if (end === 'failed') session.append(modelError(failure.retryable === true));
    return end;
  }

  /** Streams text in the open part, or in a new one. */
  async #stream(step: SayStep | ThinkStep, turn: Turn, open: Part | null): Promise<Part | null> {
    const [type, text] =
      'say' in step
        ? (['agent.message', step.say] as const)
        : (['agent.thinking', step.think] as const);
    let part = open;
    if (part && part.type !== type) {
      part.finish();
      part = null;
    }
    for (const fragment of fragmentsOf(this.#fill(text, turn))) {
      await this.#pause(step.delay_ms ?? 0);
      if (this.#stop.signal.aborted) break;
      part ??= this.#session.start(type);
      part.add(fragment);
    }
    return part;
  }

  #fill(text: string | readonly string[], turn: Turn): string | readonly string[] {
    const fill = (part: string) =>
      part.replaceAll(/\{(text|result)\}/g, (_, name: string) =>
        name === 'text' ? turn.question : this.#desk.result,
      );
    return typeof text === 'string' ? fill(text) : text.map(fill);
  }

  async #pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await new Pause(this.#ports.clock).wait(milliseconds, this.#stop.signal);
  }
}

const idle = 'session.status_idle';

/** Whether an event needs an answer. */
function asks({ type }: LoggedEvent): boolean {
  return type === 'user.message' || type === 'user.card_action';
}

/** Returns an event as text for the model. */
function questionIn(event: LoggedEvent): string {
  const { type, action, values } = event;
  if (type === 'user.message') return textIn(event);
  return `[Answer to the card]\n${JSON.stringify({ action, values })}`;
}

function isSaid(round: readonly ScriptStep[]): boolean {
  return round.some((step) => 'say' in step);
}

const incomplete = { done: undefined, stopped: 'interrupted', failed: 'failed' } as const;

const budgetError = {
  type: 'session.error',
  error: {
    type: 'billing_error',
    code: 'EMBED_BUDGET_EXCEEDED',
    message: 'The budget of this conversation is spent.',
    retry_status: { type: 'terminal' },
  },
};

function modelError(retryable: boolean) {
  const message = retryable
    ? 'The model did not answer. Try again later.'
    : 'The model refused the request.';
  const retry_status = { type: retryable ? 'exhausted' : 'terminal' };
  return {
    type: 'session.error',
    error: { type: 'model_request_failed_error', message, retry_status },
  };
}
