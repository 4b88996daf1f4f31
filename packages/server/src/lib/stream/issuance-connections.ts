import type { ProblemCode } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import type { Clock } from '../clock.ts';

/**
 * Minimum milliseconds between two checks for expired tokens, so that one check handles tokens that
 * expire shortly after each other.
 */
const expiryCheckInterval = 20;

/** A connection that depends on a token: a stream or a long poll. */
interface Connection {
  /** The owner of the token. */
  readonly caller: EndUserCaller;
}

/**
 * The streams and long polls of this process, by the issuance of their token. Ends them when the
 * token is revoked or expires.
 */
export class IssuanceConnections<ConnectionType extends Connection> {
  readonly #clock: Clock;
  readonly #end: (connections: readonly ConnectionType[], code: ProblemCode) => void;
  readonly #byIssuance = new Map<string, Set<ConnectionType>>();
  /** Time of the next check for expired tokens. One timer serves all tokens. */
  #timerAt = Number.POSITIVE_INFINITY;
  #clearTimer: () => void = () => {};

  /**
   * @param end Called with the connections of tokens that have ended; possibly more than once for a
   *   connection.
   */
  constructor(
    clock: Clock,
    end: (connections: readonly ConnectionType[], code: ProblemCode) => void,
  ) {
    this.#clock = clock;
    this.#end = end;
  }

  /** Adds a connection. */
  add(connection: ConnectionType): void {
    const { issuanceId, expiresAt } = connection.caller;
    const group = this.#byIssuance.get(issuanceId) ?? new Set();
    this.#byIssuance.set(issuanceId, group.add(connection));
    this.#schedule(expiresAt);
  }

  /** Removes a connection. Idempotent. */
  remove(connection: ConnectionType): void {
    const { issuanceId } = connection.caller;
    const group = this.#byIssuance.get(issuanceId);
    group?.delete(connection);
    if (group?.size === 0) this.#byIssuance.delete(issuanceId);
    if (this.#byIssuance.size === 0) this.#cancelTimer();
  }

  /** Ends the connections of a revoked token. Returns their number. */
  endIssuance(issuanceId: string, code: ProblemCode): number {
    const connections = [...(this.#byIssuance.get(issuanceId) ?? [])];
    if (connections.length > 0) this.#end(connections, code);
    return connections.length;
  }

  /** The owners of all connections; one entry per connection. */
  *callers(): Iterable<EndUserCaller> {
    for (const group of this.#byIssuance.values()) {
      for (const { caller } of group) yield caller;
    }
  }

  #schedule(time: number): void {
    if (time >= this.#timerAt) return;
    this.#cancelTimer();
    this.#timerAt = time;
    this.#clearTimer = this.#clock.after(time - this.#clock.now(), () => this.#endExpired());
  }

  #cancelTimer(): void {
    this.#clearTimer();
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  #endExpired(): void {
    this.#cancelTimer();
    const now = this.#clock.now();
    const expired: ConnectionType[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const group of this.#byIssuance.values()) {
      for (const connection of group) {
        if (connection.caller.expiresAt <= now) expired.push(connection);
        else next = Math.min(next, connection.caller.expiresAt);
      }
    }
    if (expired.length > 0) this.#end(expired, 'EMBED_TOKEN_EXPIRED');
    if (next < Number.POSITIVE_INFINITY) this.#schedule(Math.max(next, now + expiryCheckInterval));
  }
}
