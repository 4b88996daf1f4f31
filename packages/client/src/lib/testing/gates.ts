import { onAbort } from '../wait.ts';

/** Places where something waits until a test lets it go on. */
export class Gates {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #opened = new Map<string, number>();

  /** What waits just now, by name. */
  get names(): string[] {
    return [...this.#waiting.keys()];
  }

  /** Resolves when the gate is opened, or at once for an aborted signal. Never rejects. */
  pass(name: string, signal?: AbortSignal): Promise<void> {
    const opened = this.#opened.get(name) ?? 0;
    if (opened > 0) {
      this.#opened.set(name, opened - 1);
      return Promise.resolve();
    }
    const waiting = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, waiting);
    return new Promise((resolve) => {
      const go = () => {
        waiting.delete(go);
        if (waiting.size === 0) this.#waiting.delete(name);
        undo();
        resolve();
      };
      waiting.add(go);
      let undo = () => {};
      if (signal) undo = onAbort(signal, go);
    });
  }

  /** Lets go on what waits at a gate; where nothing does yet, what comes there next. */
  open(name: string): void {
    const waiting = this.#waiting.get(name);
    if (waiting) for (const go of [...waiting]) go();
    else this.#opened.set(name, (this.#opened.get(name) ?? 0) + 1);
  }
}
