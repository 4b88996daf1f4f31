import type { Rules, Strike } from './rules.ts';

/** A request on its way through the proxy, as tests get to see it. */
export interface SeenRequest {
  /** Counted from 1 since the proxy was started. */
  readonly id: number;
  readonly connection: number;
  /** Empty where the connection does not speak HTTP/1.1. */
  readonly method: string;
  /** With its query. */
  readonly path: string;
}

/** A request and its answer. */
export class Exchange {
  readonly request: SeenRequest;
  readonly strikes: readonly Strike[];
  /** Resolves when the answer has been passed on whole, or the connection is gone. */
  readonly done: Promise<void>;
  /** The bytes of the request, kept where it is to be sent twice. */
  readonly recorded: Buffer[] = [];
  /** Whether the whole request has come through. */
  isAsked = false;
  /** Whether the server gets the request twice, and which answer counts. */
  readonly doubling: 'first' | 'second' | null;
  readonly #finish: () => void;

  constructor(request: SeenRequest, rules: Rules) {
    this.request = request;
    let finish = () => {};
    this.done = new Promise((resolve) => {
      finish = resolve;
    });
    this.#finish = finish;
    this.strikes = rules.strikesOn(request, this.done);
    const doubled = this.strikes.map(({ fault }) => fault).find(({ type }) => type === 'duplicate');
    this.doubling = doubled?.type === 'duplicate' ? (doubled.answer ?? 'first') : null;
  }

  finish(): void {
    this.#finish();
  }
}
