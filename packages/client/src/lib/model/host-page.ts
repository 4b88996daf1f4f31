import { AuthDenied } from '../errors.ts';
import type { Clock } from '../ports.ts';
import type { ScriptedPlatform } from '../testing/platform/scripted-platform.ts';
import { Pause } from '../wait.ts';

/** The people of the model. Each name begins what they and their agent say. */
export type Person = 'ada' | 'bob';

interface Given {
  readonly person: Person;
  /** The how manieth person of the page it was given for. */
  readonly stay: number;
  readonly id: string;
}

/** The page around the chat, and its backend: it knows who is signed in, and gives tokens. */
export class HostPage {
  /** Who is signed in; null for nobody. */
  person: Person | null = 'ada';
  /** Grows whenever somebody else is signed in. */
  stay = 0;
  /** How often `getToken` throws before it works again. */
  failures = 0;
  /** Milliseconds that `getToken` takes. */
  delay = 0;
  /** The most questions for a token that were under way at once, for one person and page load. */
  mostAtOnce = 0;
  readonly given = new Map<string, Given>();
  #last: Person = 'ada';
  #asked = 0;
  /** Grows when nobody waits any more for the questions that are under way. */
  #epoch = 0;
  readonly #platform: () => ScriptedPlatform;
  readonly #clock: () => Clock;

  constructor(platform: () => ScriptedPlatform, clock: () => Clock) {
    this.#platform = platform;
    this.#clock = clock;
  }

  /** The token that was given last; null before the first. */
  get latest(): Given | null {
    return [...this.given.values()].at(-1) ?? null;
  }

  signIn(person: Person): void {
    this.person = person;
    this.#last = person;
    this.stay += 1;
  }

  signOut(): void {
    this.person = null;
  }

  /** The person who was signed in last is so again. */
  signInAgain(): void {
    this.person = this.#last;
  }

  /** The page is loaded anew, or the client was told of another person. */
  startOver(): void {
    this.#asked = 0;
    this.#epoch += 1;
  }

  getToken = async (): Promise<string | null> => {
    const epoch = this.#epoch;
    this.#asked += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#asked);
    try {
      const { person, stay } = this;
      if (this.delay > 0) {
        await new Pause(this.#clock()).wait(this.delay, new AbortController().signal);
      }
      if (this.failures > 0) {
        this.failures -= 1;
        throw new Error('The backend of the host is down.');
      }
      if (person === null) throw new AuthDenied();
      const { id, token } = this.#platform().issue(person, { ttlSeconds: 120 });
      this.given.set(token, { person, stay, id });
      return token;
    } finally {
      if (epoch === this.#epoch) this.#asked -= 1;
    }
  };
}
