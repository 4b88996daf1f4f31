import type { LogEvent } from '@inlay/protocol';
import { type Diagnostic, type DiagnosticListener, unexpectedError } from '../diagnostics.ts';
import { Listeners } from '../listeners.ts';
import type { Ports } from '../ports.ts';
import type { ConversationEvent } from './reducer/events.ts';
import { reduce } from './reducer/index.ts';
import { initialConversationState } from './reducer/initial-state.ts';
import type { ConversationState } from './state.ts';

/** Number of events after which a batch is reduced even if the state is not read. */
const maxBatchSize = 1_000;

interface ConversationStoreOptions {
  readonly frame: Ports['frame'];
  readonly onDiagnostic: DiagnosticListener;
}

/**
 * Holds the state of a conversation. Events are reduced in batches, when the state is read, and
 * listeners are notified once before the next paint.
 */
export class ConversationStore {
  readonly #options: ConversationStoreOptions;
  readonly #listeners: Listeners;
  #state: ConversationState = initialConversationState;
  /** Events that are not reduced yet. */
  #batch: ConversationEvent[] = [];
  #cancelFrame: (() => void) | null = null;
  #isOpen = true;
  #isEnded = false;

  constructor(options: ConversationStoreOptions) {
    this.#options = options;
    this.#listeners = new Listeners('subscribe', options.onDiagnostic);
  }

  get state(): ConversationState {
    const batch = this.#batch;
    if (batch.length > 0) {
      const failures: Diagnostic[] = [];
      try {
        this.#state = reduce(this.#state, batch);
      } catch {
        // Reports the exception of each event that can't be reduced.
        this.#state = reduceEach(this.#state, batch, failures);
      }
      this.#batch = [];
      // Afterwards, because the page may read the state in its listener.
      failures.forEach(this.#options.onDiagnostic);
    }
    return this.#state;
  }

  /** Adds a listener. Returns its unsubscribe function. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Applies an event of the log, of the stream or of the user. It is ignored after `end`. */
  dispatch(event: ConversationEvent): void {
    if (this.#isEnded) return;
    this.#batch.push(event);
    if (this.#batch.length >= maxBatchSize) void this.state;
    this.scheduleNotification();
  }

  /** Notifies the listeners before the next paint. */
  scheduleNotification(): void {
    if (!this.#isOpen) return;
    this.#cancelFrame ??= this.#options.frame(() => {
      this.#cancelFrame = null;
      this.#listeners.notify();
    });
  }

  /** Resets the state to the initial state. */
  reset(): void {
    this.#batch = [];
    this.#state = initialConversationState;
  }

  /** Notifies the listeners for the last time. Events are still applied to the state until `end`. */
  close(): void {
    this.#isOpen = false;
    this.#cancelFrame?.();
    // The listeners are notified synchronously, because the next paint must show nothing of the previous user.
    this.#listeners.notify();
    this.#listeners.clear();
  }

  /** Freezes the state: ignores all later events. */
  end(): void {
    this.#isEnded = true;
  }
}

/** Reduces events one by one, and skips those that can't be reduced, also in a page of the log. */
function reduceEach(
  state: ConversationState,
  events: readonly ConversationEvent[],
  failures: Diagnostic[],
): ConversationState {
  let reduced = state;
  for (const event of events) {
    const before = reduced;
    const isPage = event.type === 'local.history';
    let kept: readonly LogEvent[] = [];
    // A page is first reduced without its events.
    for (const added of [null, ...(isPage ? event.events : [])]) {
      const events = added ? [...kept, added] : kept;
      try {
        reduced = reduce(before, isPage ? { ...event, events } : event);
        kept = events;
      } catch (error) {
        failures.push(unexpectedError(error, added ?? event));
      }
    }
  }
  return reduced;
}
