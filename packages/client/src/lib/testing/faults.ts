import { type Failure, matchesName, type Network, type RequestName } from './network.ts';

/** Lets a test cause faults of the network between the page and the platform. */
export class Faults {
  readonly #network: Network;
  /** All known request names. */
  readonly #names: readonly string[];

  constructor(network: Network, names: readonly string[]) {
    this.#network = network;
    this.#names = names;
  }

  /** Number of streams that are open on the platform. */
  get openStreams(): number {
    return this.#network.wires.size;
  }

  /**
   * Disconnects every open stream. Bytes that were sent before still arrive. With `silently`, there is
   * no error and no end, as when a network drops packets.
   */
  cutStreams({ silently = false }: { readonly silently?: boolean } = {}): void {
    for (const wire of [...this.#network.wires]) {
      if (silently) wire.stopSilently();
      else wire.break();
    }
  }

  /**
   * Disconnects new streams after a number of bytes. A function receives the number of the stream, from
   * 1, and returns null to keep the stream open: `(nth) => nth` disconnects each stream one byte later.
   * Null ends the fault.
   */
  cutStreamsAfter(bytes: number | ((nth: number) => number | null) | null): void {
    this.#network.opened = 0;
    this.#network.cutAfter = typeof bytes === 'function' ? bytes : () => bytes;
  }

  /** Delivers new streams one byte at a time. False ends the fault. */
  splitStreams(split = true): void {
    this.#network.split = split;
  }

  /**
   * Buffers open and new streams until they end, as some proxies do. False releases everything.
   */
  bufferStreams(buffersStreams = true): void {
    this.#network.buffersStreams = buffersStreams;
    for (const wire of this.#network.wires) {
      if (buffersStreams) wire.startBuffering();
      else wire.stopBuffering();
    }
  }

  /** Loses the responses to the next requests of this name. The platform still processes the requests. */
  loseResponse(name: RequestName, times = 1): void {
    this.#assertKnown(name);
    this.#network.lostResponses.push({ name, effect: null, times });
  }

  /**
   * Fails the next requests without processing them.
   *
   * @param name Any request by default.
   * @param times Number of requests; 1 by default.
   */
  failNext(failure: Failure, name: RequestName = /^/, times = 1): void {
    this.#assertKnown(name);
    this.#network.failures.push({ name, effect: failure, times });
  }

  /** Delays requests of this name until `release`, before they are processed. */
  hold(name: RequestName): void {
    this.#assertKnown(name);
    this.#network.heldRequests.add(name);
  }

  /** Processes the requests of this name that `hold` has delayed, and ends the delay. */
  release(name: RequestName): void {
    const { heldRequests, gates } = this.#network;
    const text = String(name);
    for (const each of [...heldRequests]) if (String(each) === text) heldRequests.delete(each);
    if (gates.names.includes(text)) gates.open(text);
  }

  /** Delays each request by this time in milliseconds before it is processed. Default: 0. */
  delayRequests(milliseconds: number): void {
    this.#network.delay = milliseconds;
  }

  /** Disconnects open streams and fails every request. The page receives no `offline` event. */
  goOffline(): void {
    this.#network.online = false;
    this.cutStreams();
  }

  goOnline(): void {
    this.#network.online = true;
  }

  /** Ends all faults. Disconnected streams stay disconnected. */
  clear(): void {
    this.goOnline();
    this.#network.failures = [];
    this.#network.lostResponses = [];
    this.cutStreamsAfter(null);
    this.splitStreams(false);
    this.bufferStreams(false);
    this.delayRequests(0);
    for (const name of [...this.#network.heldRequests]) this.release(name);
  }

  /** Rejects unknown names, because a fault without effect would make its test useless. */
  #assertKnown(name: RequestName): void {
    if (this.#names.some((known) => matchesName(name, known))) return;
    throw new TypeError(`No request is named ${name}. There are: ${this.#names.join(', ')}.`);
  }
}
