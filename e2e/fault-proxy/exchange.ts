import type { SeenRequest } from './fault.ts';
import type { AppliedFault, Rules } from './rules.ts';

/** A request and its response. */
export class Exchange {
  readonly request: SeenRequest;
  readonly appliedFaults: readonly AppliedFault[];
  /** Resolves when the complete response was forwarded, or the connection is cut or closed. */
  readonly done: Promise<void>;
  /** Bytes of the request, recorded only if the request is duplicated. */
  readonly recorded: Buffer[] = [];
  /** Whether the complete request was forwarded. */
  isForwarded = false;
  /** For a duplicated request, which response the client gets; otherwise null. */
  readonly duplicate: 'first' | 'second' | null;
  readonly #finish: () => void;

  constructor(request: SeenRequest, rules: Rules) {
    this.request = request;
    let finish = () => {};
    this.done = new Promise((resolve) => {
      finish = resolve;
    });
    this.#finish = finish;
    this.appliedFaults = rules.applyTo(request, this.done);
    const duplicated = this.appliedFaults
      .map(({ fault }) => fault)
      .find(({ type }) => type === 'duplicate');
    this.duplicate = duplicated?.type === 'duplicate' ? (duplicated.answer ?? 'first') : null;
  }

  finish(): void {
    this.#finish();
  }
}
