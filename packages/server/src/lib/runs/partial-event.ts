import type { DeltaType } from '@inlay/protocol';
import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../clock.ts';
import { describeError, type Logger } from '../log/logger.ts';

/**
 * Milliseconds for which fragments are collected before they are published together, at most 40 times
 * a second: users see no difference from the up to 200 fragments a second that models produce. Only
 * the first fragment after a pause is published immediately.
 */
export const coalescingWindow = 25;

/** An event that the model is producing. Publishes the fragments of its text on the bus. */
export class PartialEvent {
  readonly event: { readonly id: string; readonly type: DeltaType };
  readonly #sessionId: string;
  readonly #after: number;
  readonly #deps: { bus: Bus; clock: Clock; log: Logger };
  readonly #mayPublish: () => boolean;
  #text = '';
  #publishedLength = 0;
  #isClosed = false;
  #cancelWindow: (() => void) | null = null;

  constructor(
    sessionId: string,
    event: { id: string; type: DeltaType },
    /** `seq` of the last event of the log. */
    after: number,
    deps: { bus: Bus; clock: Clock; log: Logger },
    /** Returns false once another process may have taken over the run. */
    mayPublish: () => boolean = () => true,
  ) {
    this.event = event;
    this.#sessionId = sessionId;
    this.#after = after;
    this.#deps = deps;
    this.#mayPublish = mayPublish;
  }

  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    this.#text += text;
    if (!this.#cancelWindow) this.#flushAndStartWindow();
  }

  /** Publishes the whole text again, for a reader that missed the start; nothing once it is closed. */
  repeat(): void {
    if (this.#isClosed) return;
    this.#publishedLength = 0;
    this.#flush();
  }

  /** Publishes the remaining text. The caller then appends the whole event to the log. */
  close(): void {
    this.#cancelWindow?.();
    this.#cancelWindow = null;
    this.#flush();
    this.#isClosed = true;
  }

  #flushAndStartWindow(): void {
    if (!this.#flush()) return;
    this.#cancelWindow = this.#deps.clock.after(coalescingWindow, () => {
      this.#cancelWindow = null;
      this.#flushAndStartWindow();
    });
  }

  /** Publishes the text that is not published yet. Returns whether there was any. */
  #flush(): boolean {
    if (this.#publishedLength === this.#text.length || !this.#mayPublish()) return false;
    const offset = this.#publishedLength;
    this.#publishedLength = this.#text.length;
    this.#deps.bus
      .publish({
        kind: 'session_delta',
        sessionId: this.#sessionId,
        event: this.event,
        after: this.#after,
        offset,
        text: this.#text.slice(offset),
      })
      // A lost fragment is harmless, because the complete event has the whole text.
      .catch((error: unknown) => this.#deps.log.warn('delta not sent', describeError(error)));
    return true;
  }
}
