import type { ProblemCode } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import type { Clock } from '../ports/clock.ts';

/** Milliseconds by which the end of a token may be noticed late, so that one timer serves many. */
const together = 20;

/** A connection that depends on a token: a stream or a long poll. */
interface Held {
  /** The owner of the token. */
  readonly caller: EndUserCaller;
}

/**
 * Streams and long polls of this process, by the issuance of their token. They end with the token.
 */
export class IssuanceConnections<Kind extends Held> {
  readonly #clock: Clock;
  readonly #end: (held: readonly Kind[], code: ProblemCode) => void;
  readonly #byIssuance = new Map<string, Set<Kind>>();
  /** When the timer for expired tokens fires: one timer for all tokens. */
  #wakesAt = Number.POSITIVE_INFINITY;
  #cancelWaking: () => void = () => {};

  /**
   * @param end Called with the connections of a token that has ended. It may be called twice for
   *   one.
   */
  constructor(clock: Clock, end: (held: readonly Kind[], code: ProblemCode) => void) {
    this.#clock = clock;
    this.#end = end;
  }

  add(held: Kind): void {
    const { issuanceId, expiresAt } = held.caller;
    const group = this.#byIssuance.get(issuanceId) ?? new Set();
    this.#byIssuance.set(issuanceId, group.add(held));
    this.#wakeAt(expiresAt);
  }

  /** Removes a connection. Idempotent. */
  remove(held: Kind): void {
    const { issuanceId } = held.caller;
    const group = this.#byIssuance.get(issuanceId);
    group?.delete(held);
    if (group?.size === 0) this.#byIssuance.delete(issuanceId);
    if (this.#byIssuance.size === 0) this.#sleep();
  }

  endIssuance(issuanceId: string, code: ProblemCode): void {
    const group = this.#byIssuance.get(issuanceId);
    if (group) this.#end([...group], code);
  }

  *callers(): Iterable<EndUserCaller> {
    for (const group of this.#byIssuance.values()) {
      for (const { caller } of group) yield caller;
    }
  }

  #wakeAt(time: number): void {
    if (time >= this.#wakesAt) return;
    this.#sleep();
    this.#wakesAt = time;
    this.#cancelWaking = this.#clock.after(time - this.#clock.now(), () => this.#endExpired());
  }

  #sleep(): void {
    this.#cancelWaking();
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  #endExpired(): void {
    this.#sleep();
    const now = this.#clock.now();
    const expired: Kind[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const group of this.#byIssuance.values()) {
      for (const held of group) {
        if (held.caller.expiresAt <= now) expired.push(held);
        else next = Math.min(next, held.caller.expiresAt);
      }
    }
    if (expired.length > 0) this.#end(expired, 'EMBED_TOKEN_EXPIRED');
    if (next < Number.POSITIVE_INFINITY) this.#wakeAt(Math.max(next, now + together));
  }
}
