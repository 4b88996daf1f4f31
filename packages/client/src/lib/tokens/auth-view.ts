import type { AuthState, AuthStatus } from '../auth-state.ts';
import type { InlayError } from '../errors.ts';
import { Listeners } from '../listeners.ts';
import { left, type Moment, moment } from '../moment.ts';
import { statusOf } from './auth-status.ts';
import type { TokenManagerOptions } from './token-facts.ts';

/** Two revocations within this time end the matter, in milliseconds. */
const revocationWindow = 60_000;

/** What decides about the state that is shown, as long as nothing ended the right to talk. */
export interface AuthGrounds {
  /** Whether a token is at hand, or none was needed yet. */
  readonly good: boolean;
  /** What callers were told who waited for a token in vain, a short time ago. */
  readonly gaveUp: InlayError | null;
  readonly externalUserId: string | null;
}

type Standing = Omit<AuthState, 'externalUserId'>;

/** What the person may do, and what they are shown about it. */
export class AuthView {
  readonly listeners: Listeners;
  readonly #options: TokenManagerOptions;
  readonly #grounds: () => AuthGrounds;
  #ended: Standing | null = null;
  #limit: InlayError | null = null;
  #revoked: Moment | null = null;
  #state: AuthState = { ...standing('ok'), externalUserId: null };

  constructor(options: TokenManagerOptions, grounds: () => AuthGrounds) {
    this.listeners = new Listeners('onAuthChange', options.onDiagnostic ?? (() => {}));
    this.#options = options;
    this.#grounds = grounds;
  }

  get state(): AuthState {
    return this.#state;
  }

  /** What ended the right to talk; null while nothing did. */
  get denial(): InlayError | null {
    return this.#ended?.error ?? null;
  }

  /** Notes a revocation. True for a second one within a minute. */
  revoke(): boolean {
    const again = this.#revokedLately;
    this.#revoked = moment(this.#options.ports.clock);
    return again;
  }

  /** The person may not talk until they ask to reconnect. */
  end(error: InlayError): void {
    const status = statusOf(error.code) ?? (this.#revokedLately ? 'revoked' : 'expired');
    const canReconnect = this.#options.source.renewable && status !== 'origin_denied';
    this.#ended = { status, error, canReconnect };
    this.show();
  }

  /** A budget or quota is spent (the error), or there is room again (null). */
  limit(error: InlayError | null): void {
    this.#limit = error;
    this.show();
  }

  /** Nothing stands in the way any more that is known. It shows with the next `show()`. */
  admit(): void {
    this.#ended = null;
    this.#limit = null;
    this.#revoked = null;
  }

  /** Looks at the grounds again, and tells the listeners of a change. */
  show(): void {
    const grounds = this.#grounds();
    const { externalUserId } = grounds;
    const next = { ...(this.#ended ?? this.#standing(grounds)), externalUserId };
    const keys = ['status', 'error', 'externalUserId'] as const;
    if (keys.every((key) => this.#state[key] === next[key])) return;
    this.#state = Object.freeze(next);
    this.listeners.notify();
  }

  get #revokedLately(): boolean {
    return left(this.#revoked, revocationWindow, this.#options.ports.clock) > 0;
  }

  /** The strongest ground first. */
  #standing({ good, gaveUp }: AuthGrounds): Standing {
    if (!this.#options.ports.page.online()) return standing('offline');
    if (this.#limit) return standing('over_budget', this.#limit);
    if (good) return standing('ok');
    return gaveUp ? standing('expired', gaveUp) : standing('refreshing');
  }
}

function standing(status: AuthStatus, error: InlayError | null = null): Standing {
  return { status, error, canReconnect: error !== null };
}
