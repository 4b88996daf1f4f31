import type { ServerResponse } from 'node:http';
import type { DeltaType } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import type { Clock } from '../ports/clock.ts';
import { greeting, heartbeat } from './frame.ts';

/** Bytes that may wait for a slow reader. It is cut off instead of getting more, and resumes. */
const bufferLimit = 1_048_576;
/** Bytes of backlog at which a replay waits until the reader has caught up. */
const replayPause = 65_536;
/** Milliseconds that the end of a stream may take before the socket is closed by force. */
const endDeadline = 900;
/** A reset by the peer is the end of a stream like any other; without a listener it would throw. */
const passOver = () => {};

export interface ReaderOptions {
  /** Whose token opened the stream. */
  readonly caller: EndUserCaller;
  /** Events whose fragments it wants. */
  readonly deltas: ReadonlySet<DeltaType>;
  /** The last event of the log that it has. */
  readonly after: number;
  readonly clock: Clock;
}

/** One open stream: Node's own response, with a bound on what waits in it. */
export class Reader {
  readonly caller: EndUserCaller;
  readonly deltas: ReadonlySet<DeltaType>;
  readonly openedAt: number;
  /** The last event of the log that was written. */
  lastSeq: number;
  /** False while the log is still being replayed: until then it takes nothing live. */
  isLive = false;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #lastWrite: number;
  #ended = false;
  /** Behind one listener: Node's own list keeps several times as much for each. */
  #onClose: readonly (() => void)[] = [];

  constructor(response: ServerResponse, options: ReaderOptions) {
    this.#response = response;
    this.#clock = options.clock;
    this.caller = options.caller;
    this.deltas = options.deltas;
    this.lastSeq = options.after;
    this.openedAt = options.clock.now();
    this.#lastWrite = this.openedAt;
    // The adapter waits for the end as well, to abort a request that nobody reads any more, and holds
    // on to that request meanwhile. Node itself listens elsewhere.
    response.removeAllListeners('close');
    response.on('close', () => this.#handleClose());
    response.on('error', passOver);
    joinHead(response);
    response.write(greeting);
  }

  get isOpen(): boolean {
    return !this.#ended && !this.#response.destroyed && !this.#response.closed;
  }

  /** Calls back once, when the connection is gone, whoever ended it. */
  onClose(callback: () => void): void {
    if (this.#response.closed) callback();
    // Not spread: such a list has room for more, for each of thousands that are open.
    else this.#onClose = this.#onClose.concat(callback);
  }

  write(bytes: Buffer): void {
    if (!this.isOpen) return;
    if (this.#response.writableLength > bufferLimit) {
      this.#destroy();
      return;
    }
    this.#lastWrite = this.#clock.now();
    this.#response.write(bytes);
  }

  /** A comment, where nothing was written for so many milliseconds. */
  beat(interval: number): void {
    if (this.#clock.now() - this.#lastWrite >= interval) this.write(heartbeat);
  }

  /** Resolves when what waits is little enough for more, or nobody reads any more. */
  async drained(): Promise<void> {
    if (this.#response.writableLength < replayPause || !this.isOpen) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#response.off('drain', done).off('close', done);
        resolve();
      };
      this.#response.once('drain', done).once('close', done);
    });
  }

  /** Ends the stream, with a last word. A peer that does not read is cut off soon after. */
  end(last?: Buffer): void {
    if (!this.isOpen) return;
    this.#ended = true;
    this.#response.end(last);
    this.onClose(this.#clock.after(endDeadline, () => this.#destroy()));
  }

  /** Ends the stream and its connection, so that the client's next request finds another server. */
  dismiss(): void {
    const { socket } = this.#response;
    this.#response.once('finish', () => socket?.end());
    this.end();
  }

  /** The socket too: destroying the response alone would let Node finish what it has begun. */
  #destroy(): void {
    this.#ended = true;
    this.#response.destroy();
    this.#response.socket?.destroy();
  }

  #handleClose(): void {
    const callbacks = this.#onClose;
    this.#onClose = [];
    for (const callback of callbacks) callback();
  }
}

/**
 * Node keeps the head of an answer, as a string that hangs together from the seventy pieces that it was
 * put together from. Whoever searches a string makes one piece of it.
 */
function joinHead(response: ServerResponse): void {
  const isIncomplete = '_header' in response && !String(response._header).endsWith('\r\n\r\n');
  if (isIncomplete) throw new Error('The head of the answer has to be written first.');
}
