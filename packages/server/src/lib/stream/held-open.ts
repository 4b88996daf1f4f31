import type { ProblemCode } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import type { Clock } from '../ports/clock.ts';

/** What a token holds open: a stream, or a request that waits. */
export interface Held {
  /** Whose token it is. */
  readonly caller: EndUserCaller;
  /** The token has ended, and why. It may be said twice. */
  end(code: ProblemCode): void;
}

/** Everything in this process that tokens hold open, by issuance: it ends with its token. */
export class HeldOpen {
  readonly #clock: Clock;
  readonly #byIssuance = new Map<string, Set<Held>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns what takes it out again; twice is fine. */
  add(held: Held): () => void {
    const { issuanceId, expiresAt } = held.caller;
    const group = this.#byIssuance.get(issuanceId) ?? new Set();
    this.#byIssuance.set(issuanceId, group.add(held));
    const cancel = this.#clock.after(expiresAt - this.#clock.now(), () =>
      held.end('EMBED_TOKEN_EXPIRED'),
    );
    return () => {
      cancel();
      group.delete(held);
      const isLast = group.size === 0 && this.#byIssuance.get(issuanceId) === group;
      if (isLast) this.#byIssuance.delete(issuanceId);
    };
  }

  endIssuance(issuanceId: string, code: ProblemCode): void {
    for (const held of [...(this.#byIssuance.get(issuanceId) ?? [])]) held.end(code);
  }

  *callers(): Iterable<EndUserCaller> {
    for (const group of this.#byIssuance.values()) {
      for (const { caller } of group) yield caller;
    }
  }
}
