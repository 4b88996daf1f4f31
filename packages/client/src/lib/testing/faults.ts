import type { ProblemCode } from '@inlay/protocol';
import type { Clock } from '../ports.ts';
import { Pause } from '../wait.ts';
import { Gates } from './gates.ts';
import { Refusal } from './platform/refusal.ts';
import { Wire } from './wire.ts';

/** Which requests are meant: a name such as `POST /sessions/{id}/events`, or a pattern for names. */
export type RequestName = string | RegExp;

/** What a request is answered with instead of being processed. */
export type Failure =
  /** The network fails: the page sees an error, and no answer. */
  | 'network'
  /** A problem of the platform. `retryAfter` is in seconds; none by default. */
  | { readonly code: ProblemCode; readonly retryAfter?: number }
  /** A status, with a page of something on the way, or with nothing in it. */
  | { readonly status: number; readonly html?: string };

interface Plan<What> {
  readonly name: RequestName;
  readonly what: What;
  times: number;
}

/** Everything that can go wrong between the page and the platform, when a test says so. */
export class Faults {
  readonly #clock: Clock;
  readonly #wires = new Set<Wire>();
  readonly #gates = new Gates();
  readonly #held = new Set<RequestName>();
  #failures: Plan<Failure>[] = [];
  #losses: Plan<null>[] = [];
  #delay = 0;
  #offline = new AbortController();
  #isOffline = false;
  #cutAfter: (nth: number) => number | null = () => null;
  #opened = 0;
  #split = false;
  #heldBack = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many streams are open, seen from the platform. */
  get openStreams(): number {
    return [...this.#wires].filter(({ isOpen }) => isOpen).length;
  }

  /**
   * Cuts every open stream. What was sent before the cut arrives. `silently`: the page does not
   * learn it, as with a network that swallows everything.
   */
  cutStreams({ silently = false }: { readonly silently?: boolean } = {}): void {
    for (const wire of [...this.#wires]) {
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
    this.#opened = 0;
    this.#cutAfter = typeof bytes === 'function' ? bytes : () => bytes;
  }

  /** Sends the streams that are opened from now on one byte at a time. */
  splitStreams(split = true): void {
    this.#split = split;
  }

  /**
   * Keeps what streams carry until they end, as a buffering proxy does: those that are open, and
   * those to come. False lets everything through.
   */
  holdStreamsBack(heldBack = true): void {
    this.#heldBack = heldBack;
    for (const wire of this.#wires) {
      if (heldBack) wire.holdBack();
      else wire.letThrough();
    }
  }

  /** The platform does what the next request of this name asks, and the answer gets lost. */
  loseAnswer(name: RequestName, times = 1): void {
    this.#losses.push({ name, what: null, times });
  }

  /** Answers the next requests with a failure; nothing of them is done. Default: the next one. */
  failNext(failure: Failure, name: RequestName = /^/, times = 1): void {
    this.#failures.push({ name, what: failure, times });
  }

  /** Keeps requests of this name waiting, before anything of them is done, until `release`. */
  hold(name: RequestName): void {
    this.#held.add(name);
  }

  /** Lets go on what `hold` keeps, and holds no more of it. */
  release(name: RequestName): void {
    for (const each of [...this.#held]) if (String(each) === String(name)) this.#held.delete(each);
    if (this.#gates.names.includes(String(name))) this.#gates.open(String(name));
  }

  /** Makes each request take so many milliseconds before anything of it is done. Default: 0. */
  delayRequests(milliseconds: number): void {
    this.#delay = milliseconds;
  }

  /** The network is gone: what is open is cut, and every request fails. The page is not told. */
  goOffline(): void {
    this.#isOffline = true;
    this.#offline.abort();
    this.cutStreams();
  }

  goOnline(): void {
    this.#isOffline = false;
    this.#offline = new AbortController();
  }

  /** Ends every fault that was asked for. What is cut stays cut. */
  clear(): void {
    this.goOnline();
    this.#failures = [];
    this.#losses = [];
    this.cutStreamsAfter(null);
    this.splitStreams(false);
    this.holdStreamsBack(false);
    this.delayRequests(0);
    for (const name of [...this.#held]) this.release(name);
  }

  /** @internal The way of a request to the platform. Gives the answer that a fault has for it. */
  async arrive(name: string, signal: AbortSignal): Promise<Response | 'network' | Refusal | null> {
    if (this.#delay > 0)
      await this.#wait((cut) => new Pause(this.#clock).wait(this.#delay, cut), signal);
    const held = [...this.#held].find((each) => matches(each, name));
    if (held) await this.#wait((cut) => this.#gates.pass(String(held), cut), signal);
    if (this.#isOffline) return 'network';
    const failure = take(this.#failures, name)?.what;
    if (!failure || failure === 'network') return failure ?? null;
    if ('code' in failure) {
      const { code, retryAfter } = failure;
      return new Refusal(code, retryAfter === undefined ? {} : { retryAfter });
    }
    const { status, html = null } = failure;
    const headers = html === null ? {} : { 'content-type': 'text/html' };
    return new Response(html, { status, headers });
  }

  /** @internal Whether the answer to a request gets lost on its way back. */
  loses(name: string): boolean {
    return this.#isOffline || take(this.#losses, name) !== null;
  }

  /** @internal The way of a stream back to the page. */
  openWire(): Wire {
    this.#opened += 1;
    const wire = new Wire({
      cutAfter: this.#cutAfter(this.#opened) ?? Infinity,
      split: this.#split,
      heldBack: this.#heldBack,
    });
    this.#wires.add(wire);
    wire.onClose(() => this.#wires.delete(wire));
    return wire;
  }

  /** Waits for the page's patience, or for the network to go. */
  async #wait(work: (cut: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    await work(AbortSignal.any([signal, this.#offline.signal]));
  }
}

function take<What>(plans: Plan<What>[], name: string): Plan<What> | null {
  const at = plans.findIndex((plan) => plan.times > 0 && matches(plan.name, name));
  const plan = plans[at];
  if (!plan) return null;
  plan.times -= 1;
  if (plan.times === 0) plans.splice(at, 1);
  return plan;
}

function matches(wanted: RequestName, name: string): boolean {
  return typeof wanted === 'string' ? wanted === name : wanted.test(name);
}
