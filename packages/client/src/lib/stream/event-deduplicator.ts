import type { LiveEvent, LogEvent } from '@inlay/protocol';
import { type ReadEvent, readEvent, readEventText, seqOf } from '@inlay/protocol/read-event';
import { type DiagnosticListener, reportSkipped, unexpectedError } from '../diagnostics.ts';
import { InlayError } from '../errors.ts';
import type { StreamMessage } from './transport.ts';

export interface EventDeduplicatorOptions {
  /** `seq` of the last known event of the log; 0 for none. */
  readonly after: number;
  /** Receives every event once, in order. */
  readonly onEvent: (event: LogEvent | LiveEvent) => void;
  readonly onDiagnostic: DiagnosticListener;
}

/** Forwards each event once, although the stream and the log may both deliver it. */
export class EventDeduplicator {
  readonly #options: EventDeduplicatorOptions;
  #position: number;
  /** `position` before the last reported gap. Each gap is reported once. */
  #reportedGap = -1;
  /** Whether no page of the log had a gap in `seq`. If one had, a gap does not mean missing events. */
  #isGapless = true;

  constructor(options: EventDeduplicatorOptions) {
    this.#options = options;
    this.#position = options.after;
  }

  /** `seq` of the last event of the log that was forwarded or skipped. */
  get position(): number {
    return this.#position;
  }

  /**
   * Processes a message of the stream.
   *
   * @param canReadLog Whether missing events can be read from the log.
   * @returns Null, or the error that ends the stream, in which case the event is not forwarded. The error
   *   has the status 401 if the token is no longer valid, and the code `STREAM_GAP` if earlier events are
   *   missing.
   */
  processMessage({ id, data }: StreamMessage, canReadLog: boolean): InlayError | null {
    if (data === '') return null;
    const read = readEventText(data);
    if (read.kind === 'stream_error') {
      const { code = 'UNEXPECTED_RESPONSE', message } = read.event.error;
      return new InlayError(code, message, { status: 401 });
    }
    if (canReadLog && this.#hasGapBefore(read)) {
      this.#reportedGap = this.#position;
      return new InlayError('STREAM_GAP', 'The stream omitted events.', { retryable: true });
    }
    this.#process(read, seqOfId(id));
    return null;
  }

  /** Processes an event of a page of the log. */
  processEntry(value: unknown): void {
    const read = readEvent(value);
    if (seqOf(read) > this.#position + 1) this.#isGapless = false;
    this.#process(read, 0);
  }

  /** Whether events are missing between the last processed event and this one. */
  #hasGapBefore(read: ReadEvent): boolean {
    // The log of a deleted session can't be read.
    if (read.kind === 'log' && read.event.type === 'session.deleted') return false;
    const isGap = seqOf(read) > this.#position + 1;
    return isGap && this.#isGapless && this.#reportedGap !== this.#position;
  }

  /** @param idSeq The `seq` in the message's id; 0 without one. */
  #process(read: ReadEvent, idSeq: number): void {
    reportSkipped(read, this.#options.onDiagnostic);
    const seq = seqOf(read);
    // A buffered fragment may belong to a message that has arrived completely in the meantime.
    const isOutdated = idSeq !== 0 && idSeq < this.#position;
    if ((read.kind === 'live' && !isOutdated) || (read.kind === 'log' && seq > this.#position)) {
      try {
        this.#options.onEvent(read.event);
      } catch (error) {
        this.#options.onDiagnostic(unexpectedError(error, read.event));
      }
    }
    // An invalid event is skipped, because it would be invalid again.
    this.#position = Math.max(this.#position, seq, read.kind === 'invalid' ? idSeq : 0);
  }
}

/** Reads the `seq` of an SSE id, `<seq>` or `<seq>.<n>`; 0 for any other text. */
function seqOfId(id: string): number {
  return Number(/^(\d{1,15})(?:\.\d{1,15})?$/.exec(id)?.[1] ?? 0);
}
