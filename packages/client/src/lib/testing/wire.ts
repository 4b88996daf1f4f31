/** Faults of the bytes of one response. */
export interface WireFaults {
  /** Number of bytes before the connection breaks. */
  readonly cutAfter: number;
  /** Whether bytes arrive one at a time. */
  readonly split: boolean;
  /** Whether a proxy buffers the response until it is complete. */
  readonly heldBack: boolean;
}

/** Largest chunk in bytes, as from a socket. */
const largestChunk = 65_536;

/** The body of a response on its way to the page. */
export class Wire {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #faults: WireFaults;
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  readonly #onClose = new Set<() => void>();
  #left: number;
  #heldBack: boolean;
  #state: 'open' | 'ended' | 'broken' | 'closed' = 'open';
  #silent = false;
  #reason: unknown = null;
  #wake: (() => void) | null = null;

  constructor(faults: WireFaults) {
    this.#faults = faults;
    this.#left = faults.cutAfter;
    this.#heldBack = faults.heldBack;
    const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
      pull: (controller) => this.#pull(controller),
      cancel: () => this.#close(),
    };
    // No read-ahead: unread bytes are lost when the connection breaks.
    this.body = new ReadableStream(source, { highWaterMark: 0 });
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Calls back once when the platform notices that the reader is gone. */
  onClose(callback: () => void): void {
    if (this.#state === 'open') this.#onClose.add(callback);
    else callback();
  }

  write(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#state !== 'open' || bytes.length === 0) return;
    const arriving = bytes.subarray(0, this.#left);
    this.#left -= arriving.length;
    const size = this.#faults.split ? 1 : largestChunk;
    for (let at = 0; at < arriving.length; at += size) {
      this.#chunks.push(arriving.subarray(at, at + size));
    }
    if (this.#left === 0) this.break();
    else this.#go();
  }

  /** Ends the body. */
  end(): void {
    this.#heldBack = false;
    this.#finish('ended');
  }

  /** Breaks the connection. Bytes that were sent before arrive, followed by an error. */
  break(reason: unknown = new TypeError('The connection was cut.')): void {
    this.#reason = reason;
    this.#finish('broken');
  }

  /** Aborts the request at once, and drops bytes that have not arrived. */
  abort(reason: unknown): void {
    this.#chunks.length = 0;
    this.#heldBack = false;
    this.#silent = false;
    this.break(reason);
  }

  /** Stops the connection without an end or an error. */
  fallSilent(): void {
    this.#silent = true;
    this.#finish('broken');
  }

  /** Buffers further bytes, as a proxy does. */
  holdBack(): void {
    this.#heldBack = this.isOpen;
  }

  /** Releases the buffered bytes. */
  letThrough(): void {
    this.#heldBack = false;
    this.#go();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
    while (this.#silent || this.#heldBack || (this.#chunks.length === 0 && this.isOpen)) {
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
    this.#go();
  }

  #close(): void {
    if (this.#state === 'open') this.#state = 'closed';
    const callbacks = [...this.#onClose];
    this.#onClose.clear();
    for (const callback of callbacks) callback();
  }

  #go(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
