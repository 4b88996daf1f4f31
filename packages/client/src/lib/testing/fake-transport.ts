import { InlayError } from '../errors.ts';
import type { StreamAttempt, StreamTransport } from '../stream/transport.ts';

/** A stream attempt. The test acts as its server. */
class FakeAttempt {
  readonly attempt: StreamAttempt;
  #settle: { resolve: () => void; reject: (error: Error) => void } | null = null;
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

  heartbeat(): void {
    this.attempt.onBytes();
  }

  /** Sends a minimal event of the log. */
  event(seq: number, type = 'session.status_running'): void {
    this.attempt.onBytes();
    const event = { type, seq, id: `evt_${seq}`, processed_at: '2026-01-01T00:00:00Z' };
    this.attempt.onMessage({ id: String(seq), event: 'message', data: JSON.stringify(event) });
  }

  close(): void {
    this.#settle?.resolve();
  }

  /** Ends the attempt with an exception that is not the platform's or the network's. */
  break(defect: Error): void {
    this.#settle?.reject(defect);
  }

  fail(status: number, code = 'SOME_CODE', retryAfterMs: number | null = null): void {
    const retryable = status === 0 || status === 429 || status >= 500;
    const details = { retryable, retryAfterMs, status: status === 0 ? null : status };
    this.#settle?.reject(new InlayError(code, 'no', details));
  }
}

/** A transport. The test acts as its server. */
export class FakeTransport implements StreamTransport {
  readonly attempts: FakeAttempt[] = [];

  read = (attempt: StreamAttempt): Promise<void> => {
    const fake = new FakeAttempt(attempt);
    this.attempts.push(fake);
    return fake.done;
  };

  get last(): FakeAttempt {
    const last = this.attempts.at(-1);
    if (!last) throw new Error('There was no attempt.');
    return last;
  }

  /** Number of open attempts. */
  get open(): number {
    return this.attempts.filter(({ attempt }) => !attempt.signal.aborted).length;
  }
}
