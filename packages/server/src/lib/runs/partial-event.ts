import type { DeltaType } from '@inlay/protocol';
import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../clock.ts';
import { describeError, type Logger } from '../log/logger.ts';

/**
 * Milliseconds for which fragments are collected before they are sent; the first one is sent at
 * once. Models produce up to 200 fragments a second; 40 look the same and cost less.
 */
export const coalescingWindow = 25;

/** An event that is being streamed: its text so far. Publishes its fragments on the bus. */
export class PartialEvent {
  readonly event: { readonly id: string; readonly type: DeltaType };
  readonly #sessionId: string;
  readonly #deps: { bus: Bus; clock: Clock; log: Logger };
  readonly #isCurrent: () => boolean;
  #text = '';
  #sent = 0;
  #cancel: (() => void) | null = null;

  constructor(
    sessionId: string,
    event: { id: string; type: DeltaType },
    deps: { bus: Bus; clock: Clock; log: Logger },
    /**
     * Whether fragments may still be published: false once another process may have taken over the
     * run.
     */
    isCurrent: () => boolean = () => true,
  ) {
    this.event = event;
    this.#sessionId = sessionId;
    this.#deps = deps;
    this.#isCurrent = isCurrent;
  }

  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#cancel) return;
    this.#flush();
    this.#cancel = this.#deps.clock.after(coalescingWindow, () => {
      this.#cancel = null;
      this.#flush();
    });
  }

  /** Publishes the whole text again, for a reader that missed the start. */
  repeat(): void {
    this.#sent = 0;
    this.#flush();
  }

  /** Publishes the remaining text. The event itself follows. */
  close(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#flush();
  }

  #flush(): void {
    if (this.#sent === this.#text.length || !this.#isCurrent()) return;
    const offset = this.#sent;
    this.#sent = this.#text.length;
    this.#deps.bus
      .publish({
        kind: 'session_delta',
        sessionId: this.#sessionId,
        event: this.event,
        offset,
        text: this.#text.slice(offset),
      })
      // A lost fragment is harmless, because the complete event has the whole text.
      .catch((error: unknown) => this.#deps.log.warn('delta not sent', describeError(error)));
  }
}
