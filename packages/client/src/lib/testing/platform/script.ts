/** Do this only if the tool that was called last worked (`ok`), or only if it failed (`error`). */
interface Conditional {
  readonly when?: 'ok' | 'error';
}

/** Says something. A text is cut into fragments as a model would; a list is said as it is. */
export interface SayStep extends Conditional {
  readonly say: string | readonly string[];
  /** Milliseconds before each fragment. Default: 0, all at once. */
  readonly delay_ms?: number;
}

/** Thinks aloud, in the same way. */
export interface ThinkStep extends Conditional {
  readonly think: string | readonly string[];
  /** Milliseconds before each fragment. Default: 0. */
  readonly delay_ms?: number;
}

/**
 * Names a source of what was said in this answer so far. It is told with the whole answer, in the
 * place to which the answer has come.
 */
export interface CiteStep extends Conditional {
  readonly cite: { readonly title: string; readonly url?: string; readonly snippet?: string };
}

/**
 * Calls a tool. What follows in the script waits for its answer. `show_card` (its input is a card)
 * and `suggest_replies` (`{ prompts: ['…'] }`) are the platform's own: they show what they say.
 */
export interface CallStep extends Conditional {
  /** Name of the tool. */
  readonly call: string;
  /** Default: `{}`. */
  readonly input?: Readonly<Record<string, unknown>>;
  /**
   * Who runs it. `platform` (the default): the platform does, and answers with `result`. `page`: the
   * page does, and answers with `conversation.submitToolResult`.
   */
  readonly runs_on?: 'platform' | 'page';
  /** `ask`: the user must allow it first, with `conversation.confirmTool`. Default: `allow`. */
  readonly permission?: 'allow' | 'ask';
  /** What the person is told that the call will do. Default: nothing. */
  readonly explanation?: string;
  /** What the platform's tool answers. Default: `Done.` */
  readonly result?: string;
  /** Whether that is a failure. Default: false. */
  readonly is_error?: boolean;
  /** Milliseconds that the platform's tool takes. Default: 0. */
  readonly delay_ms?: number;
}

/** Does nothing for so many milliseconds. */
export interface WaitStep extends Conditional {
  readonly wait_ms: number;
}

/** Waits until the test says `platform.release(name)`. */
export interface HoldStep extends Conditional {
  readonly hold: string;
}

/** Fails: the answer breaks off here, and the run ends with `retries_exhausted`. */
export interface FailStep extends Conditional {
  /** Why. Nobody on the page learns it: the platform has words of its own. */
  readonly fail: string;
  /** Whether the log says that trying again may help. Default: false. */
  readonly retryable?: boolean;
}

/** Costs so many cents of the session's budget. */
export interface SpendStep extends Conditional {
  readonly spend_cents: number;
}

/**
 * One thing that the agent does. In `say` and `think`, `{text}` stands for what the person wrote and
 * `{result}` for what the last tool answered. `say`, `think`, `cite`, `call`, `wait_ms` and `fail` mean what
 * they mean in the script of the server's `scripted` model.
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

/** What the person said, for an answer that depends on it. */
export interface Question {
  readonly text: string;
  /** Id of the session, `ses_…`. */
  readonly sessionId: string;
  /** The end user who asks. */
  readonly user: string;
}

/** How a message is answered: a text, or steps. Null: not at all, the test answers it by hand. */
export type Answer = string | readonly ScriptStep[] | null;

/** One answer for every message, or a function that is asked for each. */
export type AnswerOption = Answer | ((question: Question) => Answer);

export function stepsFor(option: AnswerOption, question: Question): readonly ScriptStep[] | null {
  const answer = typeof option === 'function' ? option(question) : option;
  return typeof answer === 'string' ? [{ say: answer }] : checked(answer);
}

/** Throws a `TypeError` for a step that is none. What a function will answer can't be checked yet. */
export function checked<Option extends AnswerOption>(option: Option): Option {
  if (Array.isArray(option)) for (const step of option) assertStep(step);
  return option;
}

/** The steps of each request to the model: what follows a call is said when its answer is there. */
export function roundsOf(script: readonly ScriptStep[]): ScriptStep[][] {
  const rounds: ScriptStep[][] = [[]];
  let called = false;
  for (const step of script) {
    const isCall = 'call' in step;
    if (called && !isCall) rounds.push([]);
    rounds.at(-1)?.push(step);
    called = isCall;
  }
  // The answer of a last call is carried to the model, too, which has nothing more to say.
  if (called) rounds.push([]);
  return rounds;
}

/** About the size of a token: a word with the space before it, and never half a character. */
export function fragmentsOf(text: string | readonly string[]): readonly string[] {
  return typeof text === 'string' ? (text.match(/\s*\S{1,12}|\s+$/gu) ?? []) : text;
}

const kinds = ['say', 'think', 'cite', 'call', 'wait_ms', 'hold', 'fail', 'spend_cents'];

function assertStep(step: ScriptStep): void {
  if (kinds.filter((kind) => kind in step).length === 1) return;
  throw new TypeError(
    `A step of an answer has exactly one of ${kinds.join(', ')}; this one has: ${Object.keys(step).join(', ') || 'nothing'}.`,
  );
}
