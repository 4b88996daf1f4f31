import { createContext, Script } from 'node:vm';
import { fieldsOf } from '../json.ts';

/** The work took longer than its time limit. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

const script = new Script('work()');
/** Created with the first call, because most processes need none. */
let context: { work: () => unknown } | null = null;

/** Milliseconds of each call that do not count: starting and ending the limit takes time, too. */
const freeMs = 1;

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
    const startUsage = process.cpuUsage();
    let result: { value: T } | null = null;
    context.work = () => {
      result = { value: work() };
    };
    try {
      script.runInContext(context, { timeout: Math.ceil(this.#remainingMs) });
    } catch (error) {
      // An error of V8 may belong to another realm, in which it is no instance of `Error`.
      const isTimeout = fieldsOf(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      if (!isTimeout) throw error;
      this.#remainingMs = 0;
    } finally {
      // Releases what the work refers to.
      context.work = () => {};
      const { user, system } = process.cpuUsage(startUsage);
      const elapsedMs = Math.min(performance.now() - start, (user + system) / 1000);
      this.#remainingMs -= Math.max(0, elapsedMs - freeMs);
    }
    if (result === null) throw new TimeLimitError('the time limit was reached');
    return (result as { value: T }).value;
  }
}
