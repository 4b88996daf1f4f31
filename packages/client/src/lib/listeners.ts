import type { DiagnosticListener } from './diagnostics.ts';

/** A set of listeners. An exception in one reaches neither the others nor the caller. */
export class Listeners {
  readonly #name: string;
  readonly #diagnostic: DiagnosticListener;
  readonly #listeners = new Set<{ call: () => void }>();

  constructor(name: string, diagnostic: DiagnosticListener) {
    this.#name = name;
    this.#diagnostic = diagnostic;
  }

  /** Adds a listener and returns its unsubscribe function. A function added twice is called twice. */
  add(listener: () => void): () => void {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Calls a snapshot of the listeners, because a listener may add, remove or close. */
  notify(): void {
    for (const entry of [...this.#listeners]) {
      if (!this.#listeners.has(entry)) continue;
      try {
        entry.call();
      } catch {
        this.#diagnostic({ type: 'listener_error', name: this.#name });
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
