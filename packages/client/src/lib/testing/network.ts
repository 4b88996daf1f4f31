import type { ProblemCode } from '@inlay/protocol';
import type { Clock } from '../ports.ts';
import { Pause } from '../wait.ts';
import { Gates } from './gates.ts';
import { ProblemError } from './platform/problem-error.ts';
import { Wire } from './wire.ts';

/** A request name such as `POST /sessions/{id}/events`, or a pattern of names. */
export type RequestName = string | RegExp;

/** How a request fails, without being processed. */
export type Failure =
  /** A network error without a response. */
  | 'network'
  /** A problem of the platform. Without `retryAfterSeconds`, it has no `retry-after`. */
  | { readonly code: ProblemCode; readonly retryAfterSeconds?: number }
  /** A status with a web page, as from a proxy, or with an empty body. */
  | { readonly status: number; readonly html?: string };

/** A fault of the next requests with a name. */
export interface PlannedFault<Effect> {
  readonly name: RequestName;
  readonly effect: Effect;
  times: number;
}

/** The network between the page and the platform, with its current faults. */
export class Network {
  failures: PlannedFault<Failure>[] = [];
  lostResponses: PlannedFault<null>[] = [];
  /** Names of the requests that are delayed until they are released. */
  readonly heldRequests = new Set<RequestName>();
  readonly gates = new Gates();
  /** Delay of each request in milliseconds. */
  delay = 0;
  /** Returns the number of bytes after which the `nth` stream is disconnected; null for never. */
  cutAfter: (nth: number) => number | null = () => null;
  /** Number of streams opened since `cutAfter` was set. */
  opened = 0;
  /** Whether streams are delivered one byte at a time. */
  split = false;
  buffersStreams = false;
  readonly wires = new Set<Wire>();
  readonly #clock: Clock;
  /** Aborted while offline; replaced when the network is back. */
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
   * null; throws a problem or a network error.
   */
  async receive(name: string, signal: AbortSignal): Promise<Response | null> {
    const abortSignal = () => AbortSignal.any([signal, this.#online.signal]);
    if (this.delay > 0) await new Pause(this.#clock).wait(this.delay, abortSignal());
    const heldName = [...this.heldRequests].find((each) => matchesName(each, name));
    if (heldName) await this.gates.wait(String(heldName), abortSignal());
    // The request was aborted while it was delayed.
    signal.throwIfAborted();
    if (!this.online) throw networkError();
    const failure = takeFault(this.failures, name)?.effect;
    if (!failure) return null;
    if (failure === 'network') throw networkError();
    if ('code' in failure) {
      const { code, retryAfterSeconds: retryAfter } = failure;
      throw new ProblemError(code, retryAfter === undefined ? {} : { retryAfter });
    }
    const { status, html = null } = failure;
    const headers = html === null ? {} : { 'content-type': 'text/html' };
    return new Response(html, { status, headers });
  }

  /** Whether the response to a request is lost. Counts the request if a fault applies to it. */
  losesResponse(name: string): boolean {
    return !this.online || takeFault(this.lostResponses, name) !== null;
  }

  /** Opens a stream with the current faults. */
  openWire(): Wire {
    this.opened += 1;
    const cutAfter = this.cutAfter(this.opened) ?? Infinity;
    const wire = new Wire({ cutAfter, split: this.split, buffersStreams: this.buffersStreams });
    this.wires.add(wire);
    wire.onClose(() => this.wires.delete(wire));
    return wire;
  }
}

function takeFault<Effect>(
  faults: PlannedFault<Effect>[],
  name: string,
): PlannedFault<Effect> | null {
  const index = faults.findIndex((fault) => fault.times > 0 && matchesName(fault.name, name));
  const fault = faults[index];
  if (!fault) return null;
  fault.times -= 1;
  if (fault.times === 0) faults.splice(index, 1);
  return fault;
}

export function matchesName(pattern: RequestName, name: string): boolean {
  return typeof pattern === 'string' ? pattern === name : pattern.test(name);
}

/** Returns the error with which `fetch` rejects without a response. */
export function networkError(): TypeError {
  return new TypeError('Failed to fetch');
}
