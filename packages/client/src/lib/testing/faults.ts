import { type Failure, matches, type Network, type RequestName } from './network.ts';

/** Faults between the page and the platform, which a test causes. */
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
   * Cuts every open stream. Bytes that were sent before arrive. `silently`: without an error or end,
   * as when a network drops packets.
   */
  cutStreams({ silently = false }: { readonly silently?: boolean } = {}): void {
    for (const wire of [...this.#network.wires]) {
      if (silently) wire.fallSilent();
      else wire.break();
    }
  }

  /**
   * Cuts new streams after a number of bytes. A function receives the number of the stream, from 1,
   * and returns null for one that is not cut: `(nth) => nth` cuts at each byte in turn. Null ends the
   * fault.
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
  holdStreamsBack(heldBack = true): void {
    this.#network.heldBack = heldBack;
    for (const wire of this.#network.wires) {
      if (heldBack) wire.holdBack();
      else wire.letThrough();
    }
  }

  /** Processes the next requests of this name, and loses their responses. */
  loseAnswer(name: RequestName, times = 1): void {
    this.#assertKnown(name);
    this.#network.losses.push({ name, what: null, times });
  }

  /** Fails the next requests without processing them. Default: any request, once. */
  failNext(failure: Failure, name: RequestName = /^/, times = 1): void {
    this.#assertKnown(name);
    this.#network.failures.push({ name, what: failure, times });
  }

  /** Delays requests of this name until `release`, before they are processed. */
  hold(name: RequestName): void {
    this.#assertKnown(name);
    this.#network.held.add(name);
  }

  /** Continues the requests that `hold` delays, and delays no more. */
  release(name: RequestName): void {
    const { held, gates } = this.#network;
    const wanted = String(name);
    for (const each of [...held]) if (String(each) === wanted) held.delete(each);
    if (gates.names.includes(wanted)) gates.open(wanted);
  }

  /** Delays each request by this time in milliseconds before it is processed. Default: 0. */
  delayRequests(milliseconds: number): void {
    this.#network.delay = milliseconds;
  }

  /** Cuts open streams and fails every request. The page receives no `offline` event. */
  goOffline(): void {
    this.#network.online = false;
    this.cutStreams();
  }

  goOnline(): void {
    this.#network.online = true;
  }

  /** Ends all faults. Streams that were cut stay cut. */
  clear(): void {
    this.goOnline();
    this.#network.failures = [];
    this.#network.losses = [];
    this.cutStreamsAfter(null);
    this.splitStreams(false);
    this.holdStreamsBack(false);
    this.delayRequests(0);
    for (const name of [...this.#network.held]) this.release(name);
  }

  /** Rejects unknown names, because a test of a fault without effect can't fail. */
  #assertKnown(name: RequestName): void {
    if (this.#names.some((known) => matches(name, known))) return;
    throw new TypeError(`No request is named ${name}. There are: ${this.#names.join(', ')}.`);
  }
}
