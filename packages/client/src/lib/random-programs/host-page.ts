import { AuthDeniedError } from '../errors.ts';
import { Pause } from '../wait.ts';
import type { Environment } from './environment.ts';

/** Users of the random programs. All texts of a user's conversations begin with this name. */
export type User = 'ada' | 'bob';

interface IssuedToken {
  readonly user: User;
  /** Value of `HostPage.signIns` when the token was issued. */
  readonly signIns: number;
  readonly id: string;
}

/** The host page and its backend: signs users in and issues tokens. */
export class HostPage {
  /** The signed-in user; null for none. */
  user: User | null = 'ada';
  /** Number of sign-ins so far. */
  signIns = 0;
  /** Number of the next calls of `getToken` that fail. */
  failures = 0;
  /** Duration of `getToken` in milliseconds. */
  delay = 0;
  /** Highest number of concurrent calls of `getToken` by one client so far. */
  maxConcurrent = 0;
  readonly tokens = new Map<string, IssuedToken>();
  #lastUser: User = 'ada';
  #pending = 0;
  /** Incremented when pending calls are abandoned. */
  #epoch = 0;
  readonly #environment: Pick<Environment, 'bed' | 'platform'>;

  constructor(environment: Pick<Environment, 'bed' | 'platform'>) {
    this.#environment = environment;
  }

  /** The latest token; null before the first. */
  get latestToken(): IssuedToken | null {
    return [...this.tokens.values()].at(-1) ?? null;
  }

  signIn(user: User): void {
    this.user = user;
    this.#lastUser = user;
    this.signIns += 1;
  }

  signOut(): void {
    this.user = null;
  }

  /** Signs the last user in again. */
  signInAgain(): void {
    this.user = this.#lastUser;
  }

  /** Stops counting the pending calls, after a reload or a change of user. */
  abandonCalls(): void {
    this.#pending = 0;
    this.#epoch += 1;
  }

  getToken = async (): Promise<string | null> => {
    const epoch = this.#epoch;
    this.#pending += 1;
    this.maxConcurrent = Math.max(this.maxConcurrent, this.#pending);
    try {
      const { user, signIns } = this;
      if (this.delay > 0) {
        const { elsewhere } = this.#environment.bed.clock;
        await new Pause(elsewhere).wait(this.delay, new AbortController().signal);
      }
      if (this.failures > 0) {
        this.failures -= 1;
        throw new Error('The backend of the host page is down.');
      }
      if (user === null) throw new AuthDeniedError();
      const { id, token } = await this.#environment.platform.issue(user, 120);
      this.tokens.set(token, { user, signIns, id });
      return token;
    } finally {
      if (epoch === this.#epoch) this.#pending -= 1;
    }
  };
}
