import { longWaitEnd } from '../backoff.ts';
import { dualNow, elapsedMs } from '../dual-clock.ts';
import { asInlayError, type InlayError } from '../errors.ts';
import { sessionPath } from '../http/api.ts';
import { retry } from '../retry.ts';
import { Pause } from '../wait.ts';
import { readEventPage } from '../wire/answers.ts';
import type { Connection } from './connection.ts';
import type { EventDeduplicator } from './event-deduplicator.ts';
import type { StreamContext } from './stream-context.ts';
import type { StreamWatchdog } from './stream-watchdog.ts';

/** Shortest interval of requests without news, in milliseconds. */
const interval = 3_000;

export interface LogPollerOptions extends StreamContext {
  readonly sessionId: string;
  readonly events: EventDeduplicator;
  readonly show: (connection: Connection, retryAt?: number | null) => void;
  /** The concurrent stream attempt; null without one. */
  readonly attempt: () => StreamWatchdog | null;
  /** Ends that attempt and starts another. */
  readonly restart: () => void;
}

interface Polling {
  readonly wait: number;
  readonly once: boolean;
  readonly controller: AbortController;
  readonly end: Promise<InlayError | null>;
}

/**
 * Polls the log of a session. It is slower than a stream and delivers no fragments, but works where
 * streams don't.
 */
export class LogPoller {
  readonly #options: LogPollerOptions;
  #polling: Polling | null = null;
  /** The attempt that was open at the last news, which it missed. */
  #missedBy: StreamWatchdog | null = null;
  /** Number of consecutive streams without a first byte while the log had news. */
  #bufferedStreams = 0;

  constructor(options: LogPollerOptions) {
    this.#options = options;
  }

  get active(): boolean {
    return this.#polling !== null;
  }

  stop(): void {
    this.#polling?.controller.abort();
  }

  /** Resets the detection of buffering, after a stream's first byte was in time. */
  resetDetection(): void {
    this.#bufferedStreams = 0;
  }

  /**
   * Polls until it is stopped. A second call with the same arguments joins the running poll; one
   * with other arguments replaces it.
   *
   * @param wait Seconds that the platform may wait for news (long polling); 0 in a tab without a slot.
   * @param once Whether to stop at the end of the log; with a `wait`, after the next news.
   * @returns The error with which the platform refused the session or the user; null when stopped.
   */
  poll(wait: number, once = false): Promise<InlayError | null> {
    const former = this.#polling;
    if (former?.wait === wait && former.once === once) return former.end;
    this.stop();
    const controller = new AbortController();
    const end = this.#run(wait, once, controller.signal);
    const polling = { wait, once, controller, end };
    this.#polling = polling;
    void polling.end.then(() => {
      if (this.#polling === polling) this.#polling = null;
    });
    return polling.end;
  }

  async #run(wait: number, once: boolean, signal: AbortSignal): Promise<InlayError | null> {
    try {
      await this.#request(wait, once, signal);
      return null;
    } catch (error) {
      return signal.aborted ? null : asInlayError(error);
    }
  }

  async #request(wait: number, once: boolean, signal: AbortSignal): Promise<void> {
    const { ports, platform, sessionId, events, show } = this.#options;
    const path = `${sessionPath(sessionId)}/events`;
    const pause = new Pause(ports.clock);
    while (!signal.aborted) {
      const sent = dualNow(ports.clock);
      const before = events.position;
      const query = { order: 'asc', limit: 200, after_seq: before, wait };
      const page = await retry(() => platform.call(path, readEventPage, { query, signal }), {
        ...this.#options,
        signal,
        onWait: (error, delay) => show('reconnecting', longWaitEnd(error, delay, ports)),
      });
      if (signal.aborted) return;
      show('open');
      for (const event of page.data) events.takeEntry(event);
      const news = events.position > before;
      const more = news && (page.next_page ?? page.next_cursor ?? null) !== null;
      if (once && !more && (news || wait === 0)) return;
      if (news) this.#missedBy = this.#options.attempt();
      this.detectBuffering();
      // No pause after news: the platform waits for the next event, or has a further page already.
      const rest = more || (wait > 0 && news) ? 0 : interval - elapsedMs(sent, ports.clock);
      if (rest > 0) await pause.wait(rest, signal);
    }
  }

  /** Detects a buffering proxy: a silent stream that missed what the log delivered. */
  detectBuffering(): void {
    const { network, attempt, onDiagnostic, restart } = this.#options;
    const stream = attempt();
    if (!stream || stream !== this.#missedBy || network.buffersStreams) return;
    if (!(stream.late || stream.stale)) return;
    if (stream.late) this.#bufferedStreams += 1;
    // A single one may be a connection that died right after opening.
    if (this.#bufferedStreams > 1) {
      network.buffersStreams = true;
      onDiagnostic({ type: 'stream_buffered' });
    } else {
      restart();
    }
  }
}
