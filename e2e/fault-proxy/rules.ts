import type { SeenRequest } from './exchange.ts';
import type { Fault, Match } from './fault.ts';
import { Waiters } from './waiters.ts';

/** A fault that applies to one request. */
export interface Strike {
  readonly fault: Fault;
  /** Called when the fault takes effect. */
  struck(): void;
  /** For reordering: resolves when the other response was sent. */
  turn?: Promise<void>;
}

/** A fault that was added to the proxy. */
export interface Rule {
  readonly fault: Fault;
  readonly match: Match;
  /** Number of requests that the fault has applied to. */
  readonly strikes: number;
  /** Resolves with the next affected request: for cuts when they happen, otherwise on arrival. */
  next(): Promise<SeenRequest>;
  remove(): void;
}

/** The active faults. */
export class Rules {
  readonly #rules = new Set<ActiveRule>();

  get list(): readonly Rule[] {
    return [...this.#rules];
  }

  add(fault: Fault, match: Match = {}): Rule {
    const rule = new ActiveRule(fault, match, () => this.#rules.delete(rule));
    this.#rules.add(rule);
    return rule;
  }

  clear(): void {
    for (const rule of this.#rules) rule.remove();
  }

  /** Faults for a new request. `done` resolves when it has been answered. */
  strikesOn(request: SeenRequest, done: Promise<void>): Strike[] {
    return [...this.#rules].flatMap((rule) => rule.strike(request, done) ?? []);
  }
}

class ActiveRule implements Rule {
  readonly fault: Fault;
  readonly match: Match;
  readonly remove: () => void;
  readonly #waiters = new Waiters<SeenRequest>();
  #seen = 0;
  #chosen = 0;
  #strikes = 0;
  /** Releases the delayed response that waits for the next one. */
  #release: (() => void) | null = null;

  constructor(fault: Fault, match: Match, onRemove: () => void) {
    this.fault = fault;
    this.match = match;
    this.remove = () => {
      this.#release?.();
      onRemove();
    };
  }

  get strikes(): number {
    return this.#strikes;
  }

  next(): Promise<SeenRequest> {
    return this.#waiters.next();
  }

  strike(request: SeenRequest, done: Promise<void>): Strike | null {
    if (!matches(this.match, request)) return null;
    if (this.#release) {
      void done.then(this.#release);
      this.#release = null;
      return null;
    }
    this.#seen += 1;
    const { nth = 1, times = this.match.nth === undefined ? Number.POSITIVE_INFINITY : 1 } =
      this.match;
    if (this.#seen < nth || this.#chosen >= times) return null;
    this.#chosen += 1;
    const struck = () => {
      this.#strikes += 1;
      this.#waiters.tell(request);
    };
    const strike: Strike = { fault: this.fault, struck };
    if (this.fault.type === 'reorder') strike.turn = this.#letNextGoFirst(done);
    if (this.fault.type !== 'cut' && this.fault.type !== 'lose-answer') struck();
    return strike;
  }

  #letNextGoFirst(done: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve;
      // The client of the other request may disconnect first.
      void done.then(() => {
        if (this.#release === resolve) this.#release = null;
      });
    });
  }
}

export function matches(
  { method, path = '' }: Pick<Match, 'method' | 'path'>,
  request: SeenRequest,
): boolean {
  if (method !== undefined && method !== request.method) return false;
  return typeof path === 'string' ? request.path.includes(path) : path.test(request.path);
}
