import type { InlayError } from '../errors.ts';
import { Listeners } from '../listeners.ts';
import { type DualTime, dualNow, remainingMs } from '../wait.ts';
import type { TokenManagerOptions } from './token-source.ts';

/** Whether the user may send messages, and if not, why. */
export type AuthStatus =
  /** There is a token, or none was needed yet. */
  | 'ok'
  /** A token is being requested. Messages wait for it. */
  | 'refreshing'
  /** The token expired, and the host page has not provided another token. */
  | 'expired'
  /**
   * The token was revoked, and the host page provided no other token. If it never provided one,
   * `error.code` is `AUTH_DENIED` and `externalUserId` is null: usually no user is signed in.
   */
  | 'revoked'
  /** The user is blocked on the platform. */
  | 'blocked'
  /** The session's budget or the daily quota is used up. */
  | 'over_budget'
  /** This page is not among the allowed origins. */
  | 'origin_denied'
  /** The browser is offline. */
  | 'offline';

export interface AuthState {
  readonly status: AuthStatus;
  /** The cause; null for `ok`, `refreshing` and `offline`. */
  readonly error: InlayError | null;
  /** Whether `reconnect()`, which requests a new token, may help. */
  readonly canReconnect: boolean;
  /** The end user whom the token was issued for; null while unknown. */
  readonly externalUserId: string | null;
}

const statusByCode: ReadonlyMap<string, AuthStatus> = new Map([
  ['EMBED_USER_BLOCKED', 'blocked'],
  ['EMBED_ORIGIN_NOT_ALLOWED', 'origin_denied'],
  ['EMBED_QUOTA_EXCEEDED', 'over_budget'],
  ['EMBED_BUDGET_EXCEEDED', 'over_budget'],
  ['EMBED_TOKEN_REVOKED', 'revoked'],
  ['AUTH_DENIED', 'revoked'],
]);

/** Returns the status that an error code causes; undefined if it causes none. */
export function statusOf(code: string): AuthStatus | undefined {
  return statusByCode.get(code);
}

/** Whether a code rejects the user or the page itself, so that another token would not help. */
export function isAccessDenied(code: string): boolean {
  const status = statusOf(code);
  return status === 'blocked' || status === 'origin_denied';
}

/** Time within which a second revocation is final, in milliseconds. */
const revocationWindow = 60_000;

/** Inputs from which the state is derived. While access is denied, only `externalUserId` counts. */
export interface AuthInputs {
  /** Whether there is a token, or none was needed yet. */
  readonly hasToken: boolean;
  /** The error of callers that recently failed to get a token; null if there are none. */
  readonly waitFailure: InlayError | null;
  readonly externalUserId: string | null;
}

type StatusFields = Omit<AuthState, 'externalUserId'>;

/** Derives the public auth state, and notifies listeners of changes. */
export class AuthStateTracker {
  readonly listeners: Listeners;
  readonly #options: TokenManagerOptions;
  readonly #inputs: () => AuthInputs;
  #denied: StatusFields | null = null;
  #limit: InlayError | null = null;
  #revokedAt: DualTime | null = null;
  #state: AuthState = { ...stateOf('ok'), externalUserId: null };

  constructor(options: TokenManagerOptions, inputs: () => AuthInputs) {
    this.listeners = new Listeners('onAuthChange', options.onDiagnostic ?? (() => {}));
    this.#options = options;
    this.#inputs = inputs;
  }

  get state(): AuthState {
    return this.#state;
  }

  /** Why access is denied; null while it is not. */
  get denial(): InlayError | null {
    return this.#denied?.error ?? null;
  }

  /** Whether a token was revoked within the last minute. */
  get wasRevoked(): boolean {
    return remainingMs(this.#revokedAt, revocationWindow, this.#options.ports.clock) > 0;
  }

  /** Records a revocation. Returns whether it is the second revocation within a minute. */
  revoke(): boolean {
    const isRepeated = this.wasRevoked;
    this.#revokedAt = dualNow(this.#options.ports.clock);
    return isRepeated;
  }

  /** Denies access until the user reconnects. */
  deny(error: InlayError): void {
    const status = statusOf(error.code) ?? (this.wasRevoked ? 'revoked' : 'expired');
    const canReconnect = this.#options.source.renewable && status !== 'origin_denied';
    this.#denied = { status, error, canReconnect };
    this.update();
  }

  /** Sets the error of an exceeded budget or quota; null when it is no longer exceeded. */
  limit(error: InlayError | null): void {
    this.#limit = error;
    this.update();
  }

  /** Clears denial, limit and revocation. The state changes with the next `update()`. */
  clear(): void {
    this.#denied = null;
    this.#limit = null;
    this.#revokedAt = null;
  }

  /** Derives the state again, and notifies the listeners if it changed. */
  update(): void {
    const inputs = this.#inputs();
    const { externalUserId } = inputs;
    const next = { ...(this.#denied ?? this.#derive(inputs)), externalUserId };
    const keys = ['status', 'error', 'externalUserId'] as const;
    if (keys.every((key) => this.#state[key] === next[key])) return;
    this.#state = Object.freeze(next);
    this.listeners.notify();
  }

  #derive({ hasToken, waitFailure }: AuthInputs): StatusFields {
    if (!this.#options.ports.page.online()) return stateOf('offline');
    if (this.#limit) return stateOf('over_budget', this.#limit);
    if (hasToken) return stateOf('ok');
    return waitFailure ? stateOf('expired', waitFailure) : stateOf('refreshing');
  }
}

function stateOf(status: AuthStatus, error: InlayError | null = null): StatusFields {
  return { status, error, canReconnect: error !== null };
}
