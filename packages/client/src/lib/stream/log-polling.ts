import { longWaitEnd } from '../backoff.ts';
import { asInlayError, type InlayError } from '../errors.ts';
import { sessionPath } from '../http/api.ts';
import { readEventPage } from '../responses/read-responses.ts';
import { retry } from '../retry.ts';
import { dualNow, elapsedMs, Pause } from '../wait.ts';
import type { EventDeduplicator } from './event-deduplicator.ts';
import type { StreamContext } from './stream-context.ts';
import type { StreamWatchdog } from './stream-watchdog.ts';
import type { Connection } from './transport.ts';

/** Minimum interval of requests while there are no new events, in milliseconds. */
const minInterval = 3_000;

export interface LogPollerOptions extends StreamContext {
  readonly sessionId: string;
  readonly events: EventDeduplicator;
  readonly onConnection: (connection: Connection, retryAt?: number | null) => void;
  /** Returns the concurrent stream attempt; null if there is none. */
  readonly attempt: () => StreamWatchdog | null;
  /** Ends the stream attempt and starts another. */
  readonly restart: () => void;
}

/** When the requests are sent, and when polling ends. */
interface PollMode {
  /** How long the platform may wait for new events (long polling), in seconds. */
  readonly waitSeconds: number;
  /** Whether polling ends at the end of the log: with `waitSeconds`, after the next new events. */
  readonly once: boolean;
}

/** How long each long poll waits for new events, in seconds. */
const longPollSeconds = 20;

const modes = {
  poll: { waitSeconds: 0, once: false },
  longPoll: { waitSeconds: longPollSeconds, once: false },
  readExisting: { waitSeconds: 0, once: true },
  readNext: { waitSeconds: longPollSeconds, once: true },
} as const;

interface RunningPoll {
  readonly mode: PollMode;
  readonly controller: AbortController;
  readonly result: Promise<InlayError | null>;
}

/**
 * Polls the log of a session. It is slower than a stream and delivers no fragments, but works where
 * streams don't.
 */
export class LogPoller {
  readonly #options: LogPollerOptions;
  #polling: RunningPoll | null = null;
  /** The stream attempt that was open when polling last found events that no stream had delivered. */
  #missedBy: StreamWatchdog | null = null;
  /** Number of consecutive streams without a first byte while the log had new events. */
  #bufferedStreams = 0;

  constructor(options: LogPollerOptions) {
    this.#options = options;
  }

  get isActive(): boolean {
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
   * Polls every three seconds until it is stopped: in a tab without a slot, whose requests must not
   * occupy a connection.
   */
  poll(): Promise<InlayError | null> {
    return this.#start(modes.poll);
  }

  /** Polls with long polling until it is stopped: while the stream is silent. */
  longPoll(): Promise<InlayError | null> {
    return this.#start(modes.longPoll);
  }

  /** Reads the rest of the log: after the stream skipped events. */
  readExisting(): Promise<InlayError | null> {
    return this.#start(modes.readExisting);
  }

  /** Waits for new events and reads them: after an event that is too large for the stream. */
  readNext(): Promise<InlayError | null> {
    return this.#start(modes.readNext);
  }

  /**
   * Starts polling in a mode, or returns the running poll of this mode. A poll of another mode is stopped.
   *
   * @returns The error with which the platform rejected the session or the user; null when stopped.
   */
  #start(mode: PollMode): Promise<InlayError | null> {
    const running = this.#polling;
    if (running?.mode === mode) return running.result;
    this.stop();
    const controller = new AbortController();
    const { signal } = controller;
    const result = this.#request(mode, signal).then(
      () => null,
      (error) => (signal.aborted ? null : asInlayError(error, this.#options.onDiagnostic)),
    );
    const polling = { mode, controller, result };
    this.#polling = polling;
    void result.then(() => {
      if (this.#polling === polling) this.#polling = null;
    });
    return result;
  }

  async #request({ waitSeconds, once }: PollMode, signal: AbortSignal): Promise<void> {
    const { ports, platform, sessionId, events, onConnection } = this.#options;
    const path = `${sessionPath(sessionId)}/events`;
    const pause = new Pause(ports.clock);
    while (!signal.aborted) {
      const start = dualNow(ports.clock);
      const before = events.position;
      const query = { order: 'asc', limit: 200, after_seq: before, wait: waitSeconds };
      const page = await retry(() => platform.call(path, readEventPage, { query, signal }), {
        ...this.#options,
        signal,
        onWait: (error, delay) => onConnection('reconnecting', longWaitEnd(error, delay, ports)),
      });
      if (signal.aborted) return;
      onConnection('open');
      for (const event of page.data) events.processEntry(event);
      const hasNew = events.position > before;
      const hasMore = hasNew && (page.next_page ?? page.next_cursor ?? null) !== null;
      if (once && !hasMore && (hasNew || waitSeconds === 0)) return;
      if (hasNew) this.#missedBy = this.#options.attempt();
      this.detectBuffering();
      // No pause if the log has another page, nor after new events with long polling: the platform then
      // waits for the next event itself.
      const remaining =
        hasMore || (waitSeconds > 0 && hasNew) ? 0 : minInterval - elapsedMs(start, ports.clock);
      if (remaining > 0) await pause.wait(remaining, signal);
    }
  }

  /**
   * Handles a silent stream that missed events of the log. If it is the second stream in succession
   * without a first byte, a proxy buffers streams; otherwise the stream is restarted.
   */
  detectBuffering(): void {
    const { network, attempt, onDiagnostic, restart } = this.#options;
    const stream = attempt();
    if (!stream || stream !== this.#missedBy || network.buffersStreams) return;
    if (!(stream.isLate || stream.isStale)) return;
    if (stream.isLate) this.#bufferedStreams += 1;
    // A single stream without a first byte may be a connection that died right after opening.
    if (this.#bufferedStreams > 1) {
      network.buffersStreams = true;
      onDiagnostic({ type: 'stream_buffered' });
    } else {
      restart();
    }
  }
}
