import { idPrefix, limits, type ProblemCode } from '@inlay/protocol';
import type { Clock } from '../../ports.ts';
import type { Ids } from './ids.ts';
import { Refusal } from './refusal.ts';

export interface IssueOptions {
  /** Seconds until the token expires. Default: 600. */
  readonly ttlSeconds?: number;
  /** What one session may spend, in cents. Default: null, no budget. */
  readonly budgetCents?: number | null;
  /** The token itself. Default: one that no other call gave, `et_1`, `et_2`, … */
  readonly token?: string;
}

/** What issuing a token gives. */
export interface IssuedToken {
  /** Names the token where the token itself must not be told: `emb_1`. */
  readonly id: string;
  readonly token: string;
  /** RFC 3339. */
  readonly expires_at: string;
}

/** What the platform knows about a token; several tokens may share one issuance. */
export interface Issuance {
  readonly id: string;
  readonly user: string;
  readonly anonymous: boolean;
  readonly budgetCents: number | null;
  expiresAt: number;
  revoked: boolean;
  /** Told once, with the code, when the issuance ends: what is open under it must end too. */
  readonly watchers: Set<(code: ProblemCode) => void>;
}

/** Longest wait that a timer can hold, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Every token, code and visitor that the platform knows. */
export class Tokens {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #byValue = new Map<string, Issuance>();
  readonly #codes = new Map<string, { issuance: Issuance; expiresAt: number }>();
  readonly #visitors = new Map<string, string>();
  readonly #blocked = new Set<string>();

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Throws `EMBED_USER_BLOCKED` for somebody who is blocked. */
  issue(user: string, options: IssueOptions & { anonymous?: boolean } = {}): IssuedToken {
    if (this.#blocked.has(user)) throw blocked();
    const token = options.token ?? this.#ids.next(idPrefix.embedToken);
    const issuance: Issuance = {
      id: this.#ids.next(idPrefix.issuance),
      user,
      anonymous: options.anonymous === true,
      budgetCents: options.budgetCents ?? null,
      expiresAt: this.#clock.now() + (options.ttlSeconds ?? 600) * 1000,
      revoked: false,
      watchers: new Set(),
    };
    this.#byValue.set(token, issuance);
    return { id: issuance.id, token, expires_at: iso(issuance.expiresAt) };
  }

  /** Who presents a token. Throws the code with which the platform refuses it. */
  find(value: string | null): Issuance {
    const issuance = this.#byValue.get(value ?? '');
    if (!issuance) throw new Refusal('AUTHENTICATION_ERROR');
    const code = this.#endOf(issuance);
    if (code) throw new Refusal(code);
    return issuance;
  }

  /** Looks a token up, whether or not it still stands. */
  known(value: string | null): Issuance | null {
    return this.#byValue.get(value ?? '') ?? null;
  }

  /** Calls back once when the issuance ends, and returns the undo. */
  watch(issuance: Issuance, onEnd: (code: ProblemCode) => void): () => void {
    const rest = issuance.expiresAt - this.#clock.now();
    const expire = () => onEnd('EMBED_TOKEN_EXPIRED');
    const timer = rest > longestTimer ? null : this.#clock.setTimeout(expire, rest);
    issuance.watchers.add(onEnd);
    return () => {
      issuance.watchers.delete(onEnd);
      this.#clock.clearTimeout(timer);
    };
  }

  /** Ends a token, named by itself or by its id. What ended already stays as it is. */
  end(name: string, code: 'EMBED_TOKEN_EXPIRED' | 'EMBED_TOKEN_REVOKED'): void {
    const issuance =
      this.#byValue.get(name) ?? [...this.#byValue.values()].find(({ id }) => id === name);
    if (!issuance) throw new TypeError('No token of this name was issued by this platform.');
    if (this.#endOf(issuance)) return;
    if (code === 'EMBED_TOKEN_REVOKED') issuance.revoked = true;
    else issuance.expiresAt = this.#clock.now();
    for (const tell of [...issuance.watchers]) tell(code);
  }

  revokeUser(user: string): void {
    for (const issuance of new Set(this.#byValue.values())) {
      if (issuance.user === user) this.end(issuance.id, 'EMBED_TOKEN_REVOKED');
    }
  }

  block(user: string, isBlocked: boolean): void {
    if (isBlocked) this.#blocked.add(user);
    else this.#blocked.delete(user);
  }

  /** A code for a hosted link: for one use, within 60 seconds. */
  createCode(token: string): string {
    // As long as a real one: a client takes no code of fewer than 8 characters.
    const code = `${this.#ids.next(idPrefix.exchangeCode)}_exchange`;
    const expiresAt = this.#clock.now() + limits.exchangeCodeSeconds * 1000;
    this.#codes.set(code, { issuance: this.find(token), expiresAt });
    return code;
  }

  exchange(code: string): { token: string; expires_at: string } {
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    if (!known || known.expiresAt <= this.#clock.now() || this.#endOf(known.issuance)) {
      throw new Refusal('NOT_FOUND', {
        detail: 'This link was used already or is too old. Ask for a new one.',
      });
    }
    const token = this.#ids.next(idPrefix.embedToken);
    this.#byValue.set(token, known.issuance);
    return { token, expires_at: iso(known.issuance.expiresAt) };
  }

  /** The visitor of a secret, or a new one, with a secret of their own. */
  visitor(secret: unknown): { user: string; secret: string | null } {
    const known = typeof secret === 'string' ? this.#visitors.get(secret) : undefined;
    if (known) return { user: known, secret: null };
    const user = this.#ids.next(idPrefix.anonymousUser);
    const fresh = this.#ids.next(idPrefix.visitorSecret);
    this.#visitors.set(fresh, user);
    return { user, secret: fresh };
  }

  /** Forgets who a visitor is: their secret makes a new one from now on. */
  forget(user: string): void {
    for (const [secret, visitor] of this.#visitors) {
      if (visitor === user) this.#visitors.delete(secret);
    }
  }

  #endOf(issuance: Issuance): ProblemCode | null {
    if (issuance.revoked) return 'EMBED_TOKEN_REVOKED';
    if (this.#blocked.has(issuance.user)) return 'EMBED_USER_BLOCKED';
    return issuance.expiresAt <= this.#clock.now() ? 'EMBED_TOKEN_EXPIRED' : null;
  }
}

export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function blocked(): Refusal {
  return new Refusal('EMBED_USER_BLOCKED', { detail: 'This end user is blocked for this agent.' });
}
