import type { LiveEvent, LogEvent } from '@inlay/protocol';
import type { DiagnosticListener } from '../diagnostics.ts';
import { InlayError } from '../errors.ts';
import {
  type ReadEvent,
  readEvent,
  readEventText,
  reportUnread,
  seqOf,
} from '../wire/read-event.ts';
import type { StreamMessage } from './transport.ts';

export interface EventDeduplicatorOptions {
  /** `seq` of the last event of the log that is known already; 0 for none. */
  readonly after: number;
  /** Every event once, in order. It counts as read when this returns. */
  readonly onEvent: (event: LogEvent | LiveEvent) => void;
  readonly onDiagnostic: DiagnosticListener;
}

/** Takes what comes, by whichever way and however often, and passes each event on once. */
export class EventDeduplicator {
  readonly #options: EventDeduplicatorOptions;
  #position: number;
  /** Position behind which a gap was reported last: it is reported once. */
  #reportedGap = -1;
  /** Whether the log numbers its events without gaps, as far as it was read. */
  #gapless = true;

  constructor(options: EventDeduplicatorOptions) {
    this.#options = options;
    this.#position = options.after;
  }

  /** `seq` of the last event of the log that was passed on, or passed over for good. */
  get position(): number {
    return this.#position;
  }

  /**
   * Takes a message of the stream. Returns the error that ends the stream: status 401 where its
   * token ended, `STREAM_GAP` where events before this one are missing, which is not applied then.
   * `gaps`: whether missing events can be read from the log.
   */
  takeMessage({ id, data }: StreamMessage, gaps: boolean): InlayError | null {
    if (data === '') return null;
    const read = readEventText(data);
    if (read.kind === 'stream_error') {
      const { code = 'UNEXPECTED_RESPONSE', message } = read.event.error;
      return new InlayError(code, message, { status: 401 });
    }
    if (gaps && this.#lacks(read)) {
      this.#reportedGap = this.#position;
      return new InlayError('STREAM_GAP', 'The stream left out events of the log.', {
        retryable: true,
      });
    }
    this.#take(read, seqOfId(id));
    return null;
  }

  /** Takes an entry of the log. */
  takeEntry(value: unknown): void {
    const read = readEvent(value);
    if (seqOf(read) > this.#position + 1) this.#gapless = false;
    this.#take(read, 0);
  }

  /** Whether events are missing between the last one and this one. */
  #lacks(read: ReadEvent): boolean {
    // A deleted session has no log that could be read up to its last event.
    if (read.kind === 'log' && read.event.type === 'session.deleted') return false;
    const isGap = seqOf(read) > this.#position + 1;
    return isGap && this.#gapless && this.#reportedGap !== this.#position;
  }

  /** `place`: the `seq` that the id of the message names; 0 where it names none. */
  #take(read: ReadEvent, place: number): void {
    reportUnread(read, this.#options.onDiagnostic);
    const seq = seqOf(read);
    // A fragment that was held back may belong to what came whole in the meantime.
    const outdated = place !== 0 && place < this.#position;
    if ((read.kind === 'live' && !outdated) || (read.kind === 'log' && seq > this.#position)) {
      try {
        this.#options.onEvent(read.event);
      } catch {
        this.#options.onDiagnostic({ type: 'listener_error', name: 'onEvent' });
      }
    }
    // What could not be read is passed over for good: asked for again, it would come again.
    this.#position = Math.max(this.#position, seq, read.kind === 'invalid' ? place : 0);
  }
}

/** The `seq` of an SSE id, `<seq>` or `<seq>.<n>`; 0 for anything that no server sends. */
function seqOfId(id: string): number {
  return Number(/^(\d{1,15})(?:\.\d{1,15})?$/.exec(id)?.[1] ?? 0);
}
