import type { DiagnosticListener } from '../diagnostics.ts';
import { Listeners } from '../listeners.ts';
import type { Ports } from '../ports.ts';
import { initialConversationState } from './initial-state.ts';
import type { ConversationEvent } from './local-events.ts';
import { reducePlain } from './plain-reducer.ts';
import type { ConversationState } from './state.ts';
import { storyCode } from './story-code.ts';

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
  /** What was told since somebody looked, or since the code for it is being loaded. */
  #batch: ConversationEvent[] = [];
  #loading: Promise<void> | null = null;
  #cancelFrame: (() => void) | null = null;
  #isOpen = true;

  constructor(options: StateKeeperOptions) {
    this.#options = options;
    this.#listeners = new Listeners('subscribe', options.onDiagnostic);
  }

  get state(): ConversationState {
    if (this.#batch.length > 0) this.#apply();
    return this.#state;
  }

  /** Settles when the state holds all that was told; null where it does. `whole`: of any kind. */
  late(whole: boolean): Promise<void> | null {
    if (this.#batch.length > 0) this.#apply();
    return whole && !storyCode() ? this.load() : this.#loading;
  }

  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  tell(event: ConversationEvent): void {
    this.#batch.push(event);
    if (this.#batch.length >= largestBatch) this.#apply();
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

  /** Has the code there that only some conversations need, before this one does. */
  load(): Promise<void> {
    this.#loading ??= this.#options
      .load()
      .then(
        () => this.changed(),
        () => {},
      )
      .finally(() => {
        this.#loading = null;
      });
    return this.#loading;
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

  /** What needs more code than there is waits for it, and all that was told after it. */
  #apply(): void {
    const story = storyCode();
    if (story) {
      this.#state = story.reduce(this.#state, this.#batch.splice(0));
      return;
    }
    const { state, done } = reducePlain(this.#state, this.#batch);
    this.#state = state;
    this.#batch.splice(0, done);
    if (this.#batch.length > 0) void this.load();
  }
}
