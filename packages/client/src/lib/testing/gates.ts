import { onAbort } from '../wait.ts';

/** Named gates at which work waits until a test opens them. */
export class Gates {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #opened = new Map<string, number>();

  /** Names of the gates at which work waits. */
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

  /** Opens a gate for the work that waits there, or for the next one if none does. */
  open(name: string): void {
    const waiting = this.#waiting.get(name);
    if (waiting) for (const go of [...waiting]) go();
    else this.#opened.set(name, (this.#opened.get(name) ?? 0) + 1);
  }
}
