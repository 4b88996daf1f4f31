import type { ServerResponse } from 'node:http';
import type { DeltaType } from '@inlay/protocol';
import type { Caller } from '../auth/caller.ts';
import type { Clock } from '../clock.ts';
import { drained } from '../http/stream-body.ts';
import { greeting, heartbeat } from './frame.ts';

/**
 * Maximum bytes that are buffered for a slow reader. A reader that exceeds the limit is
 * disconnected, and can resume.
 */
const bufferLimit = 1_048_576;
/** Buffered bytes at which a replay pauses until the reader has caught up. */
const replayHighWaterMark = 65_536;
/** Milliseconds after `end` until the socket is destroyed. */
const endDeadline = 900;
/** A connection reset also emits `error`, which would throw without a listener. */
const ignoreError = () => {};

export interface ReaderOptions {
  /** The owner of the credential that opened the stream. */
  readonly caller: Caller;
  /** Event types whose deltas the client requested. */
  readonly deltas: ReadonlySet<DeltaType>;
  /** `seq` of the last event that the client has. */
  readonly after: number;
  readonly clock: Clock;
}

/** An open event stream: the Node response, with a bounded buffer. */
export class Reader {
  readonly caller: Caller;
  readonly deltas: ReadonlySet<DeltaType>;
  readonly openedAt: number;
  /** `seq` of the last event that was written. */
  lastSeq: number;
  /** Whether the replay is complete. Live events are not written before. */
  isLive = false;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #lastWrite: number;
  #ended = false;
  /** One array behind one listener takes less memory than Node's list of listeners. */
  #onClose: readonly (() => void)[] = [];

  constructor(response: ServerResponse, options: ReaderOptions) {
    this.#response = response;
    this.#clock = options.clock;
    this.caller = options.caller;
    this.deltas = options.deltas;
    this.lastSeq = options.after;
    this.openedAt = options.clock.now();
    this.#lastWrite = this.openedAt;
    // Removes the listener of Hono's Node adapter, which would keep the request in memory until the
    // stream ends. Node does not listen to this event itself.
    response.removeAllListeners('close');
    response.on('close', () => this.#handleClose());
    response.on('error', ignoreError);
    // Sends the response head separately, so that V8 keeps it as one string instead of seventy
    // pieces.
    response.flushHeaders();
    response.write(greeting);
  }

  get isOpen(): boolean {
    return !this.#ended && !this.#response.destroyed && !this.#response.closed;
  }

  /** Calls `callback` once, after the connection has closed. */
  onClose(callback: () => void): void {
    if (this.#response.closed) callback();
    // `concat` instead of spread: V8 allocates spare capacity for a spread array, once per stream.
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

  /** Writes a heartbeat comment if nothing was written for `interval` milliseconds. */
  sendHeartbeat(interval: number): void {
    // Absolute, because the clock may have been set back since the last write.
    if (Math.abs(this.#clock.now() - this.#lastWrite) >= interval) this.write(heartbeat);
  }

  /** Resolves when the buffer is small enough for more, or the stream has ended. */
  async drained(): Promise<void> {
    if (this.#response.writableLength < replayHighWaterMark || !this.isOpen) return;
    await drained(this.#response);
  }

  /**
   * Ends the stream. A client that does not read is disconnected shortly after.
   *
   * @param finalFrame Written before the end.
   */
  end(finalFrame?: Buffer): void {
    if (!this.isOpen) return;
    this.#ended = true;
    this.#response.end(finalFrame);
    this.onClose(this.#clock.after(endDeadline, () => this.#destroy()));
  }

  /** Ends the stream and closes its connection, so that the client connects to another server. */
  disconnect(): void {
    const { socket } = this.#response;
    this.#response.once('finish', () => socket?.end());
    this.end();
  }

  /** Also destroys the socket; otherwise Node may still flush the response. */
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
