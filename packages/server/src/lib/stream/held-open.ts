import type { ProblemCode } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import type { Clock } from '../ports/clock.ts';

/** What a token holds open: a stream, or a request that waits. */
interface Held {
  /** Whose token it is. */
  readonly caller: EndUserCaller;
}

/** Everything in this process that tokens hold open, by issuance: it ends with its token. */
export class HeldOpen<Kind extends Held> {
  readonly #clock: Clock;
  readonly #end: (held: readonly Kind[], code: ProblemCode) => void;
  /** With each, what cancels the timer of its token's expiry. */
  readonly #byIssuance = new Map<string, Map<Kind, () => void>>();

  /** @param end Told what a token held open that has ended, and why. It may be told twice of the same. */
  constructor(clock: Clock, end: (held: readonly Kind[], code: ProblemCode) => void) {
    this.#clock = clock;
    this.#end = end;
  }

  add(held: Kind): void {
    const { issuanceId, expiresAt } = held.caller;
    const cancel = this.#clock.after(expiresAt - this.#clock.now(), () =>
      this.#end([held], 'EMBED_TOKEN_EXPIRED'),
    );
    const group = this.#byIssuance.get(issuanceId) ?? new Map();
    this.#byIssuance.set(issuanceId, group.set(held, cancel));
  }

  /** Twice is fine. */
  remove(held: Kind): void {
    const { issuanceId } = held.caller;
    const group = this.#byIssuance.get(issuanceId);
    group?.get(held)?.();
    group?.delete(held);
    if (group?.size === 0) this.#byIssuance.delete(issuanceId);
  }

  endIssuance(issuanceId: string, code: ProblemCode): void {
    const group = this.#byIssuance.get(issuanceId);
    if (group) this.#end([...group.keys()], code);
  }

  *callers(): Iterable<EndUserCaller> {
    for (const group of this.#byIssuance.values()) {
      for (const { caller } of group.keys()) yield caller;
    }
  }
}
