import { longWaitEnd } from '../backoff.ts';
import { moment, since } from '../dual-clock.ts';
import { asInlayError, type InlayError } from '../errors.ts';
import { sessionPath } from '../http/api.ts';
import { retry } from '../retry.ts';
import { Pause } from '../wait.ts';
import { readEventPage } from '../wire/answers.ts';
import type { Connection } from './connection.ts';
import type { EventDeduplicator } from './event-deduplicator.ts';
import type { StreamContext } from './stream-context.ts';
import type { StreamWatchdog } from './stream-watchdog.ts';

/** Least time from one question to the next where there was no news, in milliseconds. */
const pace = 3_000;

export interface LogPollerOptions extends StreamContext {
  readonly sessionId: string;
  readonly intake: EventDeduplicator;
  readonly show: (connection: Connection, retryAt?: number | null) => void;
  /** The stream that is tried meanwhile; null where none is. */
  readonly attempt: () => StreamWatchdog | null;
  /** Gives that stream up, and tries another. */
  readonly restart: () => void;
}

interface Following {
  readonly wait: number;
  readonly once: boolean;
  readonly controller: AbortController;
  readonly end: Promise<InlayError | null>;
}

/**
 * Follows a session by asking for its log over and over: slower than a stream and without fragments,
 * and it works where streams do not. It is loaded when it is needed.
 */
export class LogPoller {
  readonly #options: LogPollerOptions;
  #following: Following | null = null;
  /** The stream that was tried when there last was news. */
  #missedBy: StreamWatchdog | null = null;
  /** Streams in a row that were silent from the beginning while the log had something to tell. */
  #heldBack = 0;

  constructor(options: LogPollerOptions) {
    this.#options = options;
  }

  get following(): boolean {
    return this.#following !== null;
  }

  stop(): void {
    this.#following?.controller.abort();
  }

  /** A stream's first byte came in time: nothing holds streams back. */
  absolve(): void {
    this.#heldBack = 0;
  }

  /**
   * Asks until it is stopped. `wait`: seconds that the platform may wait for something to tell, 0
   * where no connection is to spare; where it asks in this manner already, it goes on, and where it
   * asks in the other, it changes. `once`: it reads to the end of the log and stops; with a `wait`,
   * not before the log has gone on. Gives the error with which the platform refuses the session or
   * the person; null where it stopped.
   */
  follow(wait: number, once = false): Promise<InlayError | null> {
    const former = this.#following;
    if (former?.wait === wait && former.once === once) return former.end;
    this.stop();
    const controller = new AbortController();
    const end = this.#run(wait, once, controller.signal);
    const following = { wait, once, controller, end };
    this.#following = following;
    void following.end.then(() => {
      if (this.#following === following) this.#following = null;
    });
    return following.end;
  }

  async #run(wait: number, once: boolean, signal: AbortSignal): Promise<InlayError | null> {
    try {
      await this.#ask(wait, once, signal);
      return null;
    } catch (error) {
      return signal.aborted ? null : asInlayError(error);
    }
  }

  async #ask(wait: number, once: boolean, signal: AbortSignal): Promise<void> {
    const { ports, platform, sessionId, intake, show } = this.#options;
    const path = `${sessionPath(sessionId)}/events`;
    const pause = new Pause(ports.clock);
    while (!signal.aborted) {
      const asked = moment(ports.clock);
      const before = intake.position;
      const query = { order: 'asc', limit: 200, after_seq: before, wait };
      const page = await retry(() => platform.call(path, readEventPage, { query, signal }), {
        ...this.#options,
        signal,
        onWait: (error, delay) => show('reconnecting', longWaitEnd(error, delay, ports)),
      });
      if (signal.aborted) return;
      show('open');
      for (const event of page.data) intake.takeEntry(event);
      const news = intake.position > before;
      const more = news && (page.next_page ?? page.next_cursor ?? null) !== null;
      if (once && !more && (news || wait === 0)) return;
      if (news) this.#missedBy = this.#options.attempt();
      this.judge();
      // No pause after news: what comes next is waited for by the platform, or is there already.
      const rest = more || (wait > 0 && news) ? 0 : pace - since(asked, ports.clock);
      if (rest > 0) await pause.wait(rest, signal);
    }
  }

  /** Draws the conclusion from a stream that did not bring what came this way. */
  judge(): void {
    const { way, attempt, onDiagnostic, restart } = this.#options;
    const stream = attempt();
    if (!stream || stream !== this.#missedBy || way.buffered) return;
    if (!(stream.late || stream.stale)) return;
    if (stream.late) this.#heldBack += 1;
    // Once may be a connection that died in its first moment.
    if (this.#heldBack > 1) {
      way.buffered = true;
      onDiagnostic({ type: 'stream_buffered' });
    } else {
      restart();
    }
  }
}
