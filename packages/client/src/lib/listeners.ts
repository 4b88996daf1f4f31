import type { DiagnosticListener } from './diagnostics.ts';

/** Those who want to know. One that throws harms neither the others nor the caller. */
export class Listeners {
  readonly #name: string;
  readonly #diagnostic: DiagnosticListener;
  readonly #listeners = new Set<{ call: () => void }>();

  constructor(name: string, diagnostic: DiagnosticListener) {
    this.#name = name;
    this.#diagnostic = diagnostic;
  }

  /** Returns the undo. The same function, added twice, is called twice and undone one by one. */
  add(listener: () => void): () => void {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Calls a snapshot, because a listener may add, remove or close. */
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
