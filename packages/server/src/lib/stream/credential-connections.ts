import type { ProblemCode } from '@inlay/protocol';
import type { Caller } from '../auth/caller.ts';
import type { Clock } from '../clock.ts';

/**
 * Minimum milliseconds between two checks for expired tokens, so that one check handles tokens that
 * expire shortly after each other.
 */
const expiryCheckInterval = 20;

/** A connection that depends on a credential: a stream or a long poll. */
interface Connection {
  /** The owner of the credential. */
  readonly caller: Caller;
}

/**
 * The streams and long polls of this process, by the issuance of their token or the id of their API
 * key. Ends them when the credential is revoked or the token expires.
 */
export class CredentialConnections<ConnectionType extends Connection> {
  readonly #clock: Clock;
  readonly #end: (connections: readonly ConnectionType[], code: ProblemCode) => void;
  readonly #byCredential = new Map<string, Set<ConnectionType>>();
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
    const id = credentialId(connection.caller);
    const group = this.#byCredential.get(id) ?? new Set();
    this.#byCredential.set(id, group.add(connection));
    this.#schedule(expiryOf(connection.caller));
  }

  /** Removes a connection. Idempotent. */
  remove(connection: ConnectionType): void {
    const id = credentialId(connection.caller);
    const group = this.#byCredential.get(id);
    group?.delete(connection);
    if (group?.size === 0) this.#byCredential.delete(id);
    if (this.#byCredential.size === 0) this.#cancelTimer();
  }

  /**
   * Ends the connections of a revoked credential. Returns their number.
   *
   * @param id Id of the issuance or the API key.
   */
  endCredential(id: string, code: ProblemCode): number {
    const connections = [...(this.#byCredential.get(id) ?? [])];
    if (connections.length > 0) this.#end(connections, code);
    return connections.length;
  }

  /** The owners of all connections; one entry per connection. */
  *callers(): Iterable<Caller> {
    for (const group of this.#byCredential.values()) {
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
    for (const group of this.#byCredential.values()) {
      for (const connection of group) {
        const expiresAt = expiryOf(connection.caller);
        if (expiresAt <= now) expired.push(connection);
        else next = Math.min(next, expiresAt);
      }
    }
    if (expired.length > 0) this.#end(expired, 'EMBED_TOKEN_EXPIRED');
    if (next < Number.POSITIVE_INFINITY) this.#schedule(Math.max(next, now + expiryCheckInterval));
  }
}

function credentialId(caller: Caller): string {
  return caller.kind === 'backend' ? caller.keyId : caller.issuanceId;
}

/** When a token expires. API keys end without notice, and `RevocationWatch` finds those that did. */
function expiryOf(caller: Caller): number {
  return caller.kind === 'backend' ? Number.POSITIVE_INFINITY : caller.expiresAt;
}
