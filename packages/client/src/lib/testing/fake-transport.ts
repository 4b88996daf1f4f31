import { InlayError } from '../errors.ts';
import type { StreamAttempt, StreamTransport } from '../stream/transport.ts';

/** One attempt that a test plays the server of. */
export class PlayedAttempt {
  readonly attempt: StreamAttempt;
  #settle: { resolve: () => void; reject: (error: InlayError) => void } | null = null;
  readonly done: Promise<void>;

  constructor(attempt: StreamAttempt) {
    this.attempt = attempt;
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      attempt.signal.addEventListener('abort', () => resolve());
    });
  }

  open(): this {
    this.attempt.onOpen();
    return this;
  }

  beat(): void {
    this.attempt.onBytes();
  }

  /** Sends one of the log's plainest events. */
  event(seq: number, type = 'session.status_running'): void {
    this.attempt.onBytes();
    const event = { type, seq, id: `evt_${seq}`, processed_at: '2026-01-01T00:00:00Z' };
    this.attempt.onMessage({ id: String(seq), event: 'message', data: JSON.stringify(event) });
  }

  close(): void {
    this.#settle?.resolve();
  }

  fail(status: number, code = 'SOME_CODE', retryAfterMs: number | null = null): void {
    const retryable = status === 0 || status === 429 || status >= 500;
    const details = { retryable, retryAfterMs, status: status === 0 ? null : status };
    this.#settle?.reject(new InlayError(code, 'no', details));
  }
}

/** A transport whose attempts a test plays, one after the other. */
export class FakeTransport implements StreamTransport {
  readonly attempts: PlayedAttempt[] = [];

  read = (attempt: StreamAttempt): Promise<void> => {
    const played = new PlayedAttempt(attempt);
    this.attempts.push(played);
    return played.done;
  };

  get last(): PlayedAttempt {
    const last = this.attempts.at(-1);
    if (!last) throw new Error('nothing was attempted');
    return last;
  }

  /** Attempts that are not over. */
  get open(): number {
    return this.attempts.filter(({ attempt }) => !attempt.signal.aborted).length;
  }
}
