import { WireMap } from './wire-map.ts';

/** Returns the error of a broken connection. */
function broken(): TypeError {
  return new TypeError('terminated');
}

const encoder = new TextEncoder();

/**
 * The connection between a client and a platform, which breaks before selected bytes. A request and
 * the head of its response count as one byte each, so that it also breaks before a request arrives and
 * before its response does.
 */
export class CuttingWire {
  readonly #map: WireMap;
  readonly #cuts: ReadonlySet<number>;
  readonly #sent = new Set<string>();
  #breaks = 0;

  /** @param cuts Numbers on the map of the bytes before which it breaks. */
  constructor(map = new WireMap(), cuts: readonly number[] = []) {
    this.#map = map;
    this.#cuts = new Set(cuts);
  }

  /** Number of breaks. */
  get breaks(): number {
    return this.#breaks;
  }

  /** Passes a request, or the head of a response. Throws if the wire breaks before it. */
  pass(name: string): void {
    if (this.room(name, 1) === 0) throw broken();
  }

  /** Returns how many bytes of a chunk pass. A repeated chunk passes completely. */
  room(name: string, length: number): number {
    if (this.#sent.has(name)) return length;
    this.#sent.add(name);
    const place = this.#map.place(name, length);
    if (place === null || this.#cuts.size === 0) return length;
    for (const cut of this.#cuts) {
      if (cut < place || cut >= place + length) continue;
      this.#breaks += 1;
      return cut - place;
    }
    return length;
  }
}

/** A response on its way. The reader receives available bytes in one chunk. */
export class Connection {
  readonly response: Response;
  readonly #wire: CuttingWire;
  readonly #waiting: Uint8Array[] = [];
  #state: 'open' | 'ended' | 'broken' = 'open';
  #wake: (() => void) | null = null;

  constructor(wire: CuttingWire, type: string, status = 200) {
    this.#wire = wire;
    const body = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#close('ended') },
      { highWaterMark: 0 },
    );
    this.response = new Response(body, { status, headers: { 'content-type': type } });
  }

  get open(): boolean {
    return this.#state === 'open';
  }

  /** @param name Its name on the map of the wire. */
  write(name: string, text: string): void {
    if (!this.open) return;
    const bytes = encoder.encode(text);
    const room = this.#wire.room(name, bytes.length);
    this.#waiting.push(bytes.subarray(0, room));
    if (room < bytes.length) this.#close('broken');
    this.#wake?.();
  }

  end(): void {
    if (this.open) this.#close('ended');
  }

  #close(state: 'ended' | 'broken'): void {
    this.#state = state;
    this.#wake?.();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#waiting.length === 0 && this.open) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    const bytes = joined(this.#waiting.splice(0));
    if (bytes.length > 0) controller.enqueue(bytes);
    else if (this.#state === 'broken') controller.error(broken());
    else if (this.#state === 'ended') controller.close();
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
