import type { DiagnosticListener } from '../diagnostics.ts';
import { Listeners } from '../listeners.ts';
import type { Ports } from '../ports.ts';
import { early } from './early-state.ts';
import { initialConversationState } from './initial-state.ts';
import type { ConversationEvent } from './local-events.ts';
import type { ConversationState } from './state.ts';
import { story } from './story-code.ts';

/** How many events may wait for someone to look before they are applied anyway. */
const largestBatch = 1_000;

export interface StateKeeperOptions {
  readonly frame: Ports['frame'];
  readonly onDiagnostic: DiagnosticListener;
  /** Loads `story.ts`. Rejects when nobody wants it any more. */
  readonly load: () => Promise<unknown>;
}

/** Keeps the state of a conversation, and tells listeners with the next paint that it changed. */
export class StateKeeper {
  readonly #options: StateKeeperOptions;
  readonly #listeners: Listeners;
  #state: ConversationState = initialConversationState;
  /** What is shown until the code is there. */
  #early: ConversationState = initialConversationState;
  /** What was told since somebody looked, or before the code was there. */
  #batch: ConversationEvent[] = [];
  #loading: Promise<void> | null = null;
  #cancelFrame: (() => void) | null = null;
  #isOpen = true;

  constructor(options: StateKeeperOptions) {
    this.#options = options;
    this.#listeners = new Listeners('subscribe', options.onDiagnostic);
  }

  get state(): ConversationState {
    const { code } = story;
    if (!code) return this.#early;
    if (this.#batch.length > 0) this.#state = code.reduce(this.#state, this.#batch.splice(0));
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  tell(event: ConversationEvent): void {
    this.#batch.push(event);
    if (!story.code) this.#early = early(this.#early, event);
    else if (this.#batch.length >= largestBatch) void this.state;
    this.changed();
  }

  /** There is something new to show. */
  changed(): void {
    if (!this.#isOpen) return;
    this.#cancelFrame ??= this.#options.frame(() => {
      this.#cancelFrame = null;
      this.#listeners.notify();
    });
  }

  /** Settles when the code is there, or nobody wants it any more. */
  async load(): Promise<void> {
    if (story.code) return;
    this.#loading ??= this.#options
      .load()
      .then(
        () => this.changed(),
        () => {},
      )
      .finally(() => {
        this.#loading = null;
      });
    await this.#loading;
  }

  /** Nothing is known any more. */
  empty(): void {
    this.#batch = [];
    this.#state = initialConversationState;
    this.#early = initialConversationState;
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
