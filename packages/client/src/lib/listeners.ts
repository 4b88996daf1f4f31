import type { DiagnosticListener } from './diagnostics.ts';

/** A set of listeners. An exception in one reaches neither the others nor the caller. */
export class Listeners {
  readonly #name: string;
  readonly #onDiagnostic: DiagnosticListener;
  readonly #listeners = new Set<{ call: () => void }>();

  constructor(name: string, onDiagnostic: DiagnosticListener) {
    this.#name = name;
    this.#onDiagnostic = onDiagnostic;
  }

  /** Adds a listener and returns its unsubscribe function. A function added twice is called twice. */
  add(listener: () => void): () => void {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Calls the listeners. They may add or remove listeners meanwhile. */
  notify(): void {
    for (const entry of [...this.#listeners]) {
      if (!this.#listeners.has(entry)) continue;
      try {
        entry.call();
      } catch (error) {
        this.#onDiagnostic({ type: 'listener_error', name: this.#name, error });
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
