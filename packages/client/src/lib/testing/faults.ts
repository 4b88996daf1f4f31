import { type Failure, matches, type Network, type RequestName } from './network.ts';

/** Everything that can go wrong between the page and the platform, when a test says so. */
export class Faults {
  readonly #network: Network;
  /** Those of every request that there is. */
  readonly #names: readonly string[];

  constructor(network: Network, names: readonly string[]) {
    this.#network = network;
    this.#names = names;
  }

  /** How many streams are open, seen from the platform. */
  get openStreams(): number {
    return this.#network.wires.size;
  }

  /**
   * Cuts every open stream. What was sent before the cut arrives. `silently`: the page does not
   * learn it, as with a network that swallows everything.
   */
  cutStreams({ silently = false }: { readonly silently?: boolean } = {}): void {
    for (const wire of [...this.#network.wires]) {
      if (silently) wire.fallSilent();
      else wire.break();
    }
  }

  /**
   * Cuts the streams that are opened from now on, each after so many bytes; a function is told how
   * many streams were opened since, this one included, and gives null for one that lives. So
   * `(nth) => nth` cuts at every byte, one after the other. Null: none is cut any more.
   */
  cutStreamsAfter(bytes: number | ((nth: number) => number | null) | null): void {
    this.#network.opened = 0;
    this.#network.cutAfter = typeof bytes === 'function' ? bytes : () => bytes;
  }

  /** Sends the streams that are opened from now on one byte at a time. False stops it. */
  splitStreams(split = true): void {
    this.#network.split = split;
  }

  /**
   * Keeps what streams carry until they end, as a buffering proxy does: those that are open, and
   * those to come. False lets everything through.
   */
  holdStreamsBack(heldBack = true): void {
    this.#network.heldBack = heldBack;
    for (const wire of this.#network.wires) {
      if (heldBack) wire.holdBack();
      else wire.letThrough();
    }
  }

  /** The platform does what the next requests of this name ask, and their answers get lost. */
  loseAnswer(name: RequestName, times = 1): void {
    this.#assertKnown(name);
    this.#network.losses.push({ name, what: null, times });
  }

  /** Answers the next requests with a failure; nothing of them is done. Default: any request, once. */
  failNext(failure: Failure, name: RequestName = /^/, times = 1): void {
    this.#assertKnown(name);
    this.#network.failures.push({ name, what: failure, times });
  }

  /** Keeps requests of this name waiting, before anything of them is done, until `release`. */
  hold(name: RequestName): void {
    this.#assertKnown(name);
    this.#network.held.add(name);
  }

  /** Lets go on what `hold` keeps, and holds no more of it. */
  release(name: RequestName): void {
    const { held, gates } = this.#network;
    const wanted = String(name);
    for (const each of [...held]) if (String(each) === wanted) held.delete(each);
    if (gates.names.includes(wanted)) gates.open(wanted);
  }

  /** Makes each request take so many milliseconds before anything of it is done. Default: 0. */
  delayRequests(milliseconds: number): void {
    this.#network.delay = milliseconds;
  }

  /** The network is gone: what is open is cut, and every request fails. The page is not told. */
  goOffline(): void {
    this.#network.online = false;
    this.cutStreams();
  }

  goOnline(): void {
    this.#network.online = true;
  }

  /** Ends every fault that was asked for. What is cut stays cut. */
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

  /** A fault that can strike nothing would make a test that can't fail. */
  #assertKnown(name: RequestName): void {
    if (this.#names.some((known) => matches(name, known))) return;
    throw new TypeError(`No request is named ${name}. There are: ${this.#names.join(', ')}.`);
  }
}
