import { onAbort } from '../wait.ts';

/** Named gates. A caller waits at a gate until the test opens it. */
export class Gates {
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Number of callers that may pass without waiting, by gate. */
  readonly #passes = new Map<string, number>();

  /** Names of the gates at which callers wait. */
  get names(): string[] {
    return [...this.#waiting.keys()];
  }

  /** Resolves when the gate is opened, or immediately for an aborted signal. Never rejects. */
  wait(name: string, signal?: AbortSignal): Promise<void> {
    const passes = this.#passes.get(name) ?? 0;
    if (passes > 0) {
      this.#passes.set(name, passes - 1);
      return Promise.resolve();
    }
    const waiting = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, waiting);
    return new Promise((resolve) => {
      const proceed = () => {
        waiting.delete(proceed);
        if (waiting.size === 0) this.#waiting.delete(name);
        unsubscribe();
        resolve();
      };
      waiting.add(proceed);
      let unsubscribe = () => {};
      if (signal) unsubscribe = onAbort(signal, proceed);
    });
  }

  /** Opens a gate for all waiting callers, or for the next caller if none is waiting. */
  open(name: string): void {
    const waiting = this.#waiting.get(name);
    if (waiting) for (const proceed of [...waiting]) proceed();
    else this.#passes.set(name, (this.#passes.get(name) ?? 0) + 1);
  }
}
