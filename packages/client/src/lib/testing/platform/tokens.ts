import { idPrefix, limits, type ProblemCode } from '@inlay/protocol';
import type { Clock } from '../../ports.ts';
import type { Ids } from './ids.ts';
import { ProblemError } from './problem-error.ts';

export interface IssueOptions {
  /** Seconds until the token expires. Default: 600. */
  readonly ttlSeconds?: number;
  /** Budget of a session in cents. Default: null, no budget. */
  readonly budgetCents?: number | null;
  /** The token. Default: a new one, `et_1`, `et_2`, … */
  readonly token?: string;
}

/** Result of issuing a token. */
export interface IssuedToken {
  /** Id of the token, which is not secret: `emb_1`. */
  readonly id: string;
  readonly token: string;
  /** RFC 3339. */
  readonly expires_at: string;
}

/** The state of a token. The token of a hosted link shares the state of the token it was created from. */
export interface Issuance {
  readonly id: string;
  readonly user: string;
  readonly anonymous: boolean;
  readonly budgetCents: number | null;
  expiresAt: number;
  revoked: boolean;
  /** Called with the code when the token becomes invalid. */
  readonly listeners: Set<(code: ProblemCode) => void>;
}

/** Longest delay of a timer in milliseconds. Timers with longer delays would fire immediately. */
const maxDelay = 2 ** 31 - 1;

/** The tokens, hosted-link codes and visitors of the scripted platform. */
export class Tokens {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #issuances = new Map<string, Issuance>();
  readonly #codes = new Map<string, { issuance: Issuance; expiresAt: number }>();
  readonly #visitors = new Map<string, string>();
  /** The users who claimed visitors, by the visitors' secrets. */
  readonly #claimed = new Map<string, string>();
  readonly #blocked = new Set<string>();

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Issues a token. Throws `EMBED_USER_BLOCKED` for a blocked user. */
  issue(user: string, options: IssueOptions & { anonymous?: boolean } = {}): IssuedToken {
    if (this.#blocked.has(user)) throw blockedError();
    const token = options.token ?? this.#ids.next(idPrefix.embedToken);
    const issuance: Issuance = {
      id: this.#ids.next(idPrefix.issuance),
      user,
      anonymous: options.anonymous === true,
      budgetCents: options.budgetCents ?? null,
      expiresAt: this.#clock.now() + (options.ttlSeconds ?? 600) * 1000,
      revoked: false,
      listeners: new Set(),
    };
    this.#issuances.set(token, issuance);
    return { id: issuance.id, token, expires_at: toIsoString(issuance.expiresAt) };
  }

  /** Returns the issuance of a valid token. Throws for any other token. */
  find(value: string | null): Issuance {
    const issuance = this.#issuances.get(value ?? '');
    if (!issuance) throw new ProblemError('AUTHENTICATION_ERROR');
    const code = this.#invalidityOf(issuance);
    if (code) throw new ProblemError(code);
    return issuance;
  }

  /** Returns the issuance of a token, even if it is no longer valid; null for an unknown token. */
  findKnown(value: string | null): Issuance | null {
    return this.#issuances.get(value ?? '') ?? null;
  }

  /** Calls `onEnd` when the token becomes invalid. Returns the unsubscribe function. */
  watch(issuance: Issuance, onEnd: (code: ProblemCode) => void): () => void {
    const remaining = issuance.expiresAt - this.#clock.now();
    const expire = () => onEnd('EMBED_TOKEN_EXPIRED');
    const timer = remaining > maxDelay ? null : this.#clock.setTimeout(expire, remaining);
    issuance.listeners.add(onEnd);
    return () => {
      issuance.listeners.delete(onEnd);
      this.#clock.clearTimeout(timer);
    };
  }

  /** Makes a token invalid, if it is valid. `token` may also be the token's id. */
  invalidate(token: string, code: 'EMBED_TOKEN_EXPIRED' | 'EMBED_TOKEN_REVOKED'): void {
    const issuance =
      this.#issuances.get(token) ?? [...this.#issuances.values()].find(({ id }) => id === token);
    if (!issuance) throw new TypeError('This platform did not issue this token.');
    if (this.#invalidityOf(issuance)) return;
    if (code === 'EMBED_TOKEN_REVOKED') issuance.revoked = true;
    else issuance.expiresAt = this.#clock.now();
    for (const listener of [...issuance.listeners]) listener(code);
  }

  revokeUser(user: string): void {
    for (const issuance of new Set(this.#issuances.values())) {
      if (issuance.user === user) this.invalidate(issuance.id, 'EMBED_TOKEN_REVOKED');
    }
  }

  block(user: string, isBlocked: boolean): void {
    if (isBlocked) this.#blocked.add(user);
    else this.#blocked.delete(user);
  }

  /** Creates the code of a hosted link, for one use within 60 seconds. */
  createCode(token: string): string {
    // Clients ignore codes of fewer than 8 characters.
    const code = `${this.#ids.next(idPrefix.exchangeCode)}_exchange`;
    const expiresAt = this.#clock.now() + limits.exchangeCodeSeconds * 1000;
    this.#codes.set(code, { issuance: this.find(token), expiresAt });
    return code;
  }

  exchange(code: string): { token: string; expires_at: string } {
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    if (!known || known.expiresAt <= this.#clock.now() || this.#invalidityOf(known.issuance)) {
      throw new ProblemError('NOT_FOUND', {
        detail: 'This link was already used or has expired. Request a new one.',
      });
    }
    const token = this.#ids.next(idPrefix.embedToken);
    this.#issuances.set(token, known.issuance);
    return { token, expires_at: toIsoString(known.issuance.expiresAt) };
  }

  /** Returns the visitor of a secret, or a new visitor with a new secret. */
  visitor(secret: unknown): { user: string; secret: string | null } {
    const known = typeof secret === 'string' ? this.#visitors.get(secret) : undefined;
    if (known) return { user: known, secret: null };
    const user = this.#ids.next(idPrefix.anonymousUser);
    const newSecret = this.#ids.next(idPrefix.visitorSecret);
    this.#visitors.set(newSecret, user);
    return { user, secret: newSecret };
  }

  /**
   * Ends a visitor whom a user claims. Returns the visitor; null if the user repeats the claim.
   * Throws `NOT_FOUND` for an unknown, used or blocked secret.
   */
  claim(secret: string, user: string, isDryRun: boolean): string | null {
    const visitor = this.#visitors.get(secret);
    if (!visitor && !isDryRun && this.#claimed.get(secret) === user) return null;
    if (!visitor || this.#blocked.has(visitor)) {
      throw new ProblemError('NOT_FOUND', { detail: 'There is no visitor of this secret.' });
    }
    if (isDryRun) return visitor;
    this.#visitors.delete(secret);
    this.#claimed.set(secret, user);
    this.revokeUser(visitor);
    return visitor;
  }

  /** Deletes a visitor. Their secret is unknown from then on. */
  forget(user: string): void {
    for (const [secret, visitor] of this.#visitors) {
      if (visitor === user) this.#visitors.delete(secret);
    }
  }

  #invalidityOf(issuance: Issuance): ProblemCode | null {
    if (issuance.revoked) return 'EMBED_TOKEN_REVOKED';
    if (this.#blocked.has(issuance.user)) return 'EMBED_USER_BLOCKED';
    return issuance.expiresAt <= this.#clock.now() ? 'EMBED_TOKEN_EXPIRED' : null;
  }
}

export function toIsoString(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function blockedError(): ProblemError {
  return new ProblemError('EMBED_USER_BLOCKED', {
    detail: 'This end user is blocked for this agent.',
  });
}
