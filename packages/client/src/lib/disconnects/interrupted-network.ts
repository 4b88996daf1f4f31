import { ByteIndex } from './byte-index.ts';

function connectionError(): TypeError {
  return new TypeError('terminated');
}

const encoder = new TextEncoder();

/**
 * The network between a client and a platform, which disconnects before selected bytes. A request and
 * the headers of its response count as one byte each, so that it can also disconnect before a request
 * or a response arrives.
 */
export class InterruptedNetwork {
  readonly #byteIndex: ByteIndex;
  readonly #offsets: ReadonlySet<number>;
  readonly #sentChunks = new Set<string>();
  #disconnects = 0;

  /** @param offsets Offsets of the bytes before which it disconnects. */
  constructor(byteIndex = new ByteIndex(), offsets: readonly number[] = []) {
    this.#byteIndex = byteIndex;
    this.#offsets = new Set(offsets);
  }

  /** Number of disconnects. */
  get disconnects(): number {
    return this.#disconnects;
  }

  /**
   * Sends a request, or the headers of a response.
   *
   * @throws {TypeError} If the network disconnects before the request or the headers.
   */
  send(name: string): void {
    if (this.sendableBytes(name, 1) === 0) throw connectionError();
  }

  /** Returns how many bytes of a chunk are sent. A repeated chunk is sent completely. */
  sendableBytes(chunk: string, length: number): number {
    if (this.#sentChunks.has(chunk)) return length;
    this.#sentChunks.add(chunk);
    const start = this.#byteIndex.offsetOf(chunk, length);
    if (start === null || this.#offsets.size === 0) return length;
    for (const offset of this.#offsets) {
      if (offset < start || offset >= start + length) continue;
      this.#disconnects += 1;
      return offset - start;
    }
    return length;
  }
}

/** A response over an interrupted network. The reader receives all available bytes as one chunk. */
export class InterruptedResponse {
  readonly response: Response;
  readonly #network: InterruptedNetwork;
  readonly #unread: Uint8Array[] = [];
  #state: 'open' | 'ended' | 'failed' = 'open';
  #wake: (() => void) | null = null;

  constructor(network: InterruptedNetwork, type: string, status = 200) {
    this.#network = network;
    const body = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#close('ended') },
      { highWaterMark: 0 },
    );
    this.response = new Response(body, { status, headers: { 'content-type': type } });
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** @param chunk Name of the chunk in the byte index. */
  write(chunk: string, text: string): void {
    if (!this.isOpen) return;
    const bytes = encoder.encode(text);
    const length = this.#network.sendableBytes(chunk, bytes.length);
    this.#unread.push(bytes.subarray(0, length));
    if (length < bytes.length) this.#close('failed');
    this.#wake?.();
  }

  end(): void {
    if (this.isOpen) this.#close('ended');
  }

  #close(state: 'ended' | 'failed'): void {
    this.#state = state;
    this.#wake?.();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#unread.length === 0 && this.isOpen) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    const bytes = concatenate(this.#unread.splice(0));
    if (bytes.length > 0) controller.enqueue(bytes);
    else if (this.#state === 'failed') controller.error(connectionError());
    else if (this.#state === 'ended') controller.close();
  }
}

function concatenate(arrays: readonly Uint8Array[]): Uint8Array {
  const [first] = arrays;
  if (first && arrays.length === 1) return first;
  const result = new Uint8Array(arrays.reduce((sum, array) => sum + array.length, 0));
  let offset = 0;
  for (const array of arrays) {
    result.set(array, offset);
    offset += array.length;
  }
  return result;
}
