/** Faults in the transfer of one response. */
export interface WireFaults {
  /** Number of bytes before the connection breaks. */
  readonly cutAfter: number;
  /** Whether bytes arrive one at a time. */
  readonly split: boolean;
  /** Whether a proxy buffers the response until it is complete. */
  readonly buffersStreams: boolean;
}

/** Maximum size of a chunk in bytes, as from a socket. */
const maxChunkSize = 65_536;

/** The connection over which the body of one response is sent to the page. */
export class Wire {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #faults: WireFaults;
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  readonly #onClose = new Set<() => void>();
  /** Number of bytes that can still be written before the connection breaks. */
  #remaining: number;
  #buffersStreams: boolean;
  #state: 'open' | 'ended' | 'broken' | 'closed' = 'open';
  #isSilent = false;
  #reason: unknown = null;
  #wake: (() => void) | null = null;

  constructor(faults: WireFaults) {
    this.#faults = faults;
    this.#remaining = faults.cutAfter;
    this.#buffersStreams = faults.buffersStreams;
    const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
      pull: (controller) => this.#pull(controller),
      cancel: () => this.#close(),
    };
    // No read-ahead, so that unread bytes stay in `#chunks`, where `abort` drops them and `stopSilently`
    // holds them back.
    this.body = new ReadableStream(source, { highWaterMark: 0 });
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Calls `callback` when the platform notices that the connection is closed. */
  onClose(callback: () => void): void {
    if (this.#state === 'open') this.#onClose.add(callback);
    else callback();
  }

  write(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#state !== 'open' || bytes.length === 0) return;
    const sent = bytes.subarray(0, this.#remaining);
    this.#remaining -= sent.length;
    const size = this.#faults.split ? 1 : maxChunkSize;
    for (let start = 0; start < sent.length; start += size) {
      this.#chunks.push(sent.subarray(start, start + size));
    }
    if (this.#remaining === 0) this.break();
    else this.#wakeReader();
  }

  /** Ends the body. */
  end(): void {
    this.#buffersStreams = false;
    this.#finish('ended');
  }

  /** Breaks the connection. Bytes that were sent before still arrive, followed by an error. */
  break(reason: unknown = new TypeError('The connection broke.')): void {
    this.#reason = reason;
    this.#finish('broken');
  }

  /** Aborts the request immediately, and drops bytes that have not arrived. */
  abort(reason: unknown): void {
    this.#chunks.length = 0;
    this.#buffersStreams = false;
    this.#isSilent = false;
    this.break(reason);
  }

  /** Stops the transfer without an end or an error, also of bytes that were written before. */
  stopSilently(): void {
    this.#isSilent = true;
    this.#finish('broken');
  }

  /** Buffers further bytes, as a proxy does. */
  startBuffering(): void {
    this.#buffersStreams = this.isOpen;
  }

  /** Releases the buffered bytes. */
  stopBuffering(): void {
    this.#buffersStreams = false;
    this.#wakeReader();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
    while (this.#isSilent || this.#buffersStreams || (this.#chunks.length === 0 && this.isOpen)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunks.shift();
    if (chunk) controller.enqueue(chunk);
    else if (this.#state === 'broken') controller.error(this.#reason);
    else controller.close();
  }

  #finish(state: 'ended' | 'broken'): void {
    if (this.#state === 'open' || state === 'broken') this.#state = state;
    this.#close();
    this.#wakeReader();
  }

  #close(): void {
    if (this.#state === 'open') this.#state = 'closed';
    const callbacks = [...this.#onClose];
    this.#onClose.clear();
    for (const callback of callbacks) callback();
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
