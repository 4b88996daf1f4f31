import type { ProblemCode } from '@inlay/protocol';
import type { Clock } from '../ports.ts';
import { Pause } from '../wait.ts';
import { Gates } from './gates.ts';
import { networkError } from './given-up.ts';
import { Refusal } from './platform/refusal.ts';
import { Wire } from './wire.ts';

/** A request name such as `POST /sessions/{id}/events`, or a pattern of names. */
export type RequestName = string | RegExp;

/** Response to a request that is not processed. */
export type Failure =
  /** A network error without a response. */
  | 'network'
  /** A problem of the platform. Without `retryAfterSeconds`, it has no `retry-after`. */
  | { readonly code: ProblemCode; readonly retryAfterSeconds?: number }
  /** A status with a web page, as from a proxy, or with an empty body. */
  | { readonly status: number; readonly html?: string };

/** A fault of the next requests of a name. */
export interface Plan<What> {
  readonly name: RequestName;
  readonly what: What;
  times: number;
}

/** The network between the page and the platform, with its current faults. */
export class Network {
  failures: Plan<Failure>[] = [];
  losses: Plan<null>[] = [];
  /** Delayed requests by name. */
  readonly held = new Set<RequestName>();
  readonly gates = new Gates();
  /** Delay of each request in milliseconds. */
  delay = 0;
  /** Number of bytes after which the `nth` stream is cut; null for none. */
  cutAfter: (nth: number) => number | null = () => null;
  /** Number of streams opened since `cutAfter` was set. */
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
   * Applies the faults of requests. Resolves with a response that replaces the platform's, or with
   * null; throws a refusal or a network error.
   */
  async arrive(name: string, given: AbortSignal): Promise<Response | null> {
    const ends = () => AbortSignal.any([given, this.#online.signal]);
    if (this.delay > 0) await new Pause(this.#clock).wait(this.delay, ends());
    const held = [...this.held].find((each) => matches(each, name));
    if (held) await this.gates.pass(String(held), ends());
    // Aborted before it arrived.
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

  /** Whether the response to a request is lost. */
  loses(name: string): boolean {
    return !this.online || take(this.losses, name) !== null;
  }

  /** Applies the faults of streams to a response. */
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
