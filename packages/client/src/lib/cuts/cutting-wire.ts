import { WireMap } from './wire-map.ts';

/** What `fetch` rejects with, and a body breaks off with, when the connection is gone. */
function broken(): TypeError {
  return new TypeError('terminated');
}

const encoder = new TextEncoder();

/**
 * The way between a client and a platform, which breaks before chosen bytes. A request and the head
 * of its answer count as a byte each, so that it also breaks before the platform heard of a request,
 * and after it acted on one but before its answer came.
 */
export class CuttingWire {
  readonly #map: WireMap;
  readonly #cuts: ReadonlySet<number>;
  readonly #sent = new Set<string>();
  #breaks = 0;

  /** `cuts`: before which bytes it breaks, by their numbers on the map. */
  constructor(map = new WireMap(), cuts: readonly number[] = []) {
    this.#map = map;
    this.#cuts = new Set(cuts);
  }

  /** How often it broke. */
  get breaks(): number {
    return this.#breaks;
  }

  /** Passes a request, or the head of an answer. Throws where the wire breaks before it. */
  pass(name: string): void {
    if (this.room(name, 1) === 0) throw broken();
  }

  /** How many bytes of a piece pass. What is sent once more under the same name passes whole. */
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

/** One answer on its way. The reader gets what is there in one piece. */
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

  /** `name`: what it is, on the map of the wire. */
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
