import type { DiagnosticListener } from '../diagnostics.ts';
import { Listeners } from '../listeners.ts';
import type { Ports } from '../ports.ts';
import { type ConversationEvent, initialConversationState, reduce } from './reducer.ts';
import type { ConversationState } from './state.ts';

/** How many events may wait for someone to look before they are applied anyway. */
const largestBatch = 1_000;

/** Keeps the state of a conversation, and tells listeners with the next paint that it changed. */
export class StateKeeper {
  readonly #frame: Ports['frame'];
  readonly #listeners: Listeners;
  #state: ConversationState = initialConversationState;
  /** What was told since somebody looked. */
  #batch: ConversationEvent[] = [];
  #cancelFrame: (() => void) | null = null;
  #isOpen = true;

  constructor(frame: Ports['frame'], onDiagnostic: DiagnosticListener) {
    this.#frame = frame;
    this.#listeners = new Listeners('subscribe', onDiagnostic);
  }

  get state(): ConversationState {
    if (this.#batch.length > 0) this.#state = reduce(this.#state, this.#batch.splice(0));
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  tell(event: ConversationEvent): void {
    this.#batch.push(event);
    if (this.#batch.length >= largestBatch) this.#state = this.state;
    this.changed();
  }

  /** There is something new to show. */
  changed(): void {
    if (!this.#isOpen) return;
    this.#cancelFrame ??= this.#frame(() => {
      this.#cancelFrame = null;
      this.#listeners.notify();
    });
  }

  /** Nothing is known any more. */
  empty(): void {
    this.#batch = [];
    this.#state = initialConversationState;
  }

  /** Tells the listeners a last time. */
  close(): void {
    this.#isOpen = false;
    this.#cancelFrame?.();
    // At once, and not with the next paint: that one must show nothing of the former person.
    this.#listeners.notify();
    this.#listeners.clear();
  }
}
