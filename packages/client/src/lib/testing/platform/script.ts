interface Conditional {
  /** Runs the step only if the last tool call succeeded (`ok`) or failed (`error`). */
  readonly when?: 'ok' | 'error';
}

/** Sends an agent message. A string is split into fragments of words; a list contains the fragments. */
export interface SayStep extends Conditional {
  readonly say: string | readonly string[];
  /** Milliseconds before each fragment. Default: 0. */
  readonly delay_ms?: number;
}

/** Sends thinking, in fragments like those of `SayStep`. */
export interface ThinkStep extends Conditional {
  readonly think: string | readonly string[];
  /** Milliseconds before each fragment. Default: 0. */
  readonly delay_ms?: number;
}

/**
 * Cites a source at the current end of the text. The citation is sent with the complete message.
 */
export interface CiteStep extends Conditional {
  readonly cite: { readonly title: string; readonly url?: string; readonly snippet?: string };
}

/**
 * Calls a tool. The following steps wait for its result. `show_card` (its input is a card) and
 * `suggest_replies` (`{ prompts: ['…'] }`) are built in.
 */
export interface CallStep extends Conditional {
  /** Name of the tool. */
  readonly call: string;
  /** Default: `{}`. */
  readonly input?: Readonly<Record<string, unknown>>;
  /**
   * Where the tool runs. `platform` (the default): its result is `result`. `page`: the page submits
   * the result with `conversation.submitToolResult`.
   */
  readonly runs_on?: 'platform' | 'page';
  /** `ask`: the user must allow it first, with `conversation.confirmTool`. Default: `allow`. */
  readonly permission?: 'allow' | 'ask';
  /** Explanation of the call for the user. Default: none. */
  readonly explanation?: string;
  /** Result of a tool of the platform. Default: `Done.` */
  readonly result?: string;
  /** Whether the result is an error. Default: false. */
  readonly is_error?: boolean;
  /** Duration of a tool of the platform in milliseconds. Default: 0. */
  readonly delay_ms?: number;
}

/** Waits for a time. */
export interface WaitStep extends Conditional {
  /** In milliseconds. */
  readonly wait_ms: number;
}

/** Waits until the test calls `platform.release(name)`. */
export interface HoldStep extends Conditional {
  readonly hold: string;
}

/** Fails: the answer ends, and the run ends with `retries_exhausted`. */
export interface FailStep extends Conditional {
  /** The reason. It is not sent to the page. */
  readonly fail: string;
  /** Whether the log reports that a retry may help. Default: false. */
  readonly retryable?: boolean;
}

/** Spends from the session's budget, in cents. */
export interface SpendStep extends Conditional {
  readonly spend_cents: number;
}

/**
 * A step of the agent. In `say` and `think`, `{text}` is replaced by the user's message and `{result}`
 * by the last tool result. `say`, `think`, `cite`, `call`, `wait_ms` and `fail` are the same as in the
 * script of the server's `scripted` model.
 */
export type ScriptStep =
  | SayStep
  | ThinkStep
  | CiteStep
  | CallStep
  | WaitStep
  | HoldStep
  | FailStep
  | SpendStep;

/** The user's message, for an answer that depends on it. */
export interface Question {
  readonly text: string;
  /** Id of the session, `ses_…`. */
  readonly sessionId: string;
  /** Id of the end user. */
  readonly user: string;
}

/** The answer to a message: a text, or steps; null if the test sends the events. */
export type Answer = string | readonly ScriptStep[] | null;

/** One answer for all messages, or a function that returns one for each. */
export type AnswerOption = Answer | ((question: Question) => Answer);

export function stepsFor(option: AnswerOption, question: Question): readonly ScriptStep[] | null {
  const answer = typeof option === 'function' ? option(question) : option;
  return typeof answer === 'string' ? [{ say: answer }] : validateSteps(answer);
}

/** Throws a `TypeError` for an invalid step. If the option is a function, `stepsFor` validates its results. */
export function validateSteps<Option extends AnswerOption>(option: Option): Option {
  if (Array.isArray(option)) for (const step of option) assertStep(step);
  return option;
}

/** Splits a script into model requests. Steps after a call run in the next request. */
export function requestsOf(script: readonly ScriptStep[]): ScriptStep[][] {
  const requests: ScriptStep[][] = [[]];
  let isAfterCall = false;
  for (const step of script) {
    const isCall = 'call' in step;
    if (isAfterCall && !isCall) requests.push([]);
    requests.at(-1)?.push(step);
    isAfterCall = isCall;
  }
  // The result of a final call is followed by a request with an empty answer.
  if (isAfterCall) requests.push([]);
  return requests;
}

/** Splits a text into words with their preceding space, which are about the size of a token. */
export function fragmentsOf(text: string | readonly string[]): readonly string[] {
  return typeof text === 'string' ? (text.match(/\s*\S{1,12}|\s+$/gu) ?? []) : text;
}

const stepKinds = ['say', 'think', 'cite', 'call', 'wait_ms', 'hold', 'fail', 'spend_cents'];

function assertStep(step: ScriptStep): void {
  if (stepKinds.filter((kind) => kind in step).length === 1) return;
  throw new TypeError(
    `A step of an answer must have exactly one of ${stepKinds.join(', ')}. This step has: ${Object.keys(step).join(', ') || 'nothing'}.`,
  );
}
