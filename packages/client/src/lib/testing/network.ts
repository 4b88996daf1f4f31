import type { ProblemCode } from '@inlay/protocol';
import type { Clock } from '../ports.ts';
import { Pause } from '../wait.ts';
import { Gates } from './gates.ts';
import { networkError } from './given-up.ts';
import { Refusal } from './platform/refusal.ts';
import { Wire } from './wire.ts';

/** Which requests are meant: a name such as `POST /sessions/{id}/events`, or a pattern for names. */
export type RequestName = string | RegExp;

/** What a request is answered with instead of being processed. */
export type Failure =
  /** The network fails: the page sees an error, and no answer. */
  | 'network'
  /** A problem of the platform. Without `retryAfterSeconds`, it does not say when to come back. */
  | { readonly code: ProblemCode; readonly retryAfterSeconds?: number }
  /** A status, with a page of something on the way, or with nothing in it. */
  | { readonly status: number; readonly html?: string };

/** Something that befalls the next requests of a name, so many times. */
export interface Plan<What> {
  readonly name: RequestName;
  readonly what: What;
  times: number;
}

/** The way between the page and the platform, with everything that is wrong with it just now. */
export class Network {
  failures: Plan<Failure>[] = [];
  losses: Plan<null>[] = [];
  /** Requests that wait, by name. */
  readonly held = new Set<RequestName>();
  readonly gates = new Gates();
  /** Milliseconds that each request takes. */
  delay = 0;
  /** After how many bytes the `nth` stream is cut; null for one that lives. */
  cutAfter: (nth: number) => number | null = () => null;
  /** Streams that were opened since `cutAfter` was set. */
  opened = 0;
  split = false;
  heldBack = false;
  readonly wires = new Set<Wire>();
  readonly #clock: Clock;
  /** Aborted while there is no network. */
  #online = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get online(): boolean {
    return !this.#online.signal.aborted;
  }

  set online(online: boolean) {
    if (!online) this.#online.abort();
    else if (!this.online) this.#online = new AbortController();
  }

  /**
   * The way of a request to the platform. Resolves with what something on the way answers instead,
   * or with null; throws what the platform or the network refuses with.
   */
  async arrive(name: string, given: AbortSignal): Promise<Response | null> {
    const ends = () => AbortSignal.any([given, this.#online.signal]);
    if (this.delay > 0) await new Pause(this.#clock).wait(this.delay, ends());
    const held = [...this.held].find((each) => matches(each, name));
    if (held) await this.gates.pass(String(held), ends());
    // Given up before it arrived.
    given.throwIfAborted();
    if (!this.online) throw networkError();
    const failure = take(this.failures, name)?.what;
    if (!failure) return null;
    if (failure === 'network') throw networkError();
    if ('code' in failure) {
      const { code, retryAfterSeconds: retryAfter } = failure;
      throw new Refusal(code, retryAfter === undefined ? {} : { retryAfter });
    }
    const { status, html = null } = failure;
    const headers = html === null ? {} : { 'content-type': 'text/html' };
    return new Response(html, { status, headers });
  }

  /** Whether the answer to a request gets lost on its way back. */
  loses(name: string): boolean {
    return !this.online || take(this.losses, name) !== null;
  }

  /** The way of a stream back to the page. */
  openWire(): Wire {
    this.opened += 1;
    const cutAfter = this.cutAfter(this.opened) ?? Infinity;
    const wire = new Wire({ cutAfter, split: this.split, heldBack: this.heldBack });
    this.wires.add(wire);
    wire.onClose(() => this.wires.delete(wire));
    return wire;
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

export function matches(wanted: RequestName, name: string): boolean {
  return typeof wanted === 'string' ? wanted === name : wanted.test(name);
}
