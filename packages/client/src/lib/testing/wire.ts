/** What befalls the bytes of one answer on their way. */
export interface WireFaults {
  /** How many bytes arrive before the connection breaks. */
  readonly cutAfter: number;
  /** Whether each byte comes alone. */
  readonly split: boolean;
  /** Whether something on the way keeps everything until the answer is whole. */
  readonly heldBack: boolean;
}

/** Bytes that arrive at a time, as from a socket. */
const largestChunk = 65_536;

/** The body of an answer on its way to the page, and all that can happen to it. */
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
    // Nothing is read ahead: what was not read when the connection breaks has not arrived.
    this.body = new ReadableStream(source, { highWaterMark: 0 });
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Calls back once, when the platform's side learns that nobody reads any more. */
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

  /** The platform has said everything. */
  end(): void {
    this.#heldBack = false;
    this.#finish('ended');
  }

  /** The connection breaks: what was sent before still arrives, and then an error. */
  break(reason: unknown = new TypeError('The connection was cut.')): void {
    this.#reason = reason;
    this.#finish('broken');
  }

  /** The page gave the request up: at once, whatever is on the way. */
  abort(reason: unknown): void {
    this.#chunks.length = 0;
    this.#heldBack = false;
    this.#silent = false;
    this.break(reason);
  }

  /** The connection is dead, and the page does not learn it: nothing comes any more, and no end. */
  fallSilent(): void {
    this.#silent = true;
    this.#finish('broken');
  }

  /** Something on the way keeps what comes from now on. */
  holdBack(): void {
    this.#heldBack = this.isOpen;
  }

  /** What was kept on the way goes on. */
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
