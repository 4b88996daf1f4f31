import { createContext, Script } from 'node:vm';
import { fieldsOf } from '../json.ts';

/** Processor time for checks with patterns and schemas that others wrote has been used up. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

const script = new Script('work()');
/** Created with the first call, because most processes need none. */
let context: { work: () => unknown } | null = null;

/**
 * Bounds the time that synchronous work takes in total. V8 ends the work wherever it is, also inside a
 * regular expression, so that it blocks the event loop no longer than the limit. `finally` blocks of
 * ended work do not run.
 */
export class TimeLimit {
  #remainingMs: number;

  /** @param milliseconds For all calls of `run` together. */
  constructor(milliseconds: number) {
    this.#remainingMs = milliseconds;
  }

  /** @throws TimeLimitError If the time is used up. */
  run<T>(work: () => T): T {
    if (this.#remainingMs < 1) throw new TimeLimitError('the time limit was reached');
    context ??= createContext({ work: () => {} }) as { work: () => unknown };
    const start = performance.now();
    let result: { value: T } | null = null;
    context.work = () => {
      result = { value: work() };
    };
    try {
      script.runInContext(context, { timeout: Math.ceil(this.#remainingMs) });
    } catch (error) {
      // An error of V8 may belong to another realm, in which it is no instance of `Error`.
      const isTimeout = fieldsOf(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      throw isTimeout ? new TimeLimitError('the time limit was reached') : error;
    } finally {
      // Releases what the work refers to.
      context.work = () => {};
      this.#remainingMs -= performance.now() - start;
    }
    if (result === null) throw new TimeLimitError('the time limit was reached');
    return (result as { value: T }).value;
  }
}
