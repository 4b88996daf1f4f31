import { stillWorkingAfter } from '../still-working.ts';

/** Time without new content after which an answer is considered stalled, in milliseconds. */
const stalledAfter = 1500;

/** Schedules a callback and returns its cancel function. */
type Schedule = (callback: () => void, milliseconds: number) => () => void;

const withTimeout: Schedule = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

/** Measures how long a running agent has sent nothing. */
export class Silence {
  readonly #onChange: () => void;
  readonly #schedule: Schedule;
  #cancel: () => void = () => {};
  #length: 'short' | 'stalled' | 'long' = 'short';

  constructor(onChange: () => void, schedule = withTimeout) {
    this.#onChange = onChange;
    this.#schedule = schedule;
  }

  get length(): 'short' | 'stalled' | 'long' {
    return this.#length;
  }

  /** Restarts the measurement when the agent starts or sends something. Stops it if `running` is false. */
  restart(running: boolean): void {
    this.#cancel();
    this.#length = 'short';
    if (!running) return;
    this.#cancel = this.#schedule(() => {
      this.#length = 'stalled';
      this.#cancel = this.#schedule(() => {
        this.#length = 'long';
        this.#onChange();
      }, stillWorkingAfter - stalledAfter);
      this.#onChange();
    }, stalledAfter);
  }
}
