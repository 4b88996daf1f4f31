import type { SeenRequest } from './exchange.ts';
import type { Fault, Match } from './fault.ts';
import { Waiters } from './waiters.ts';

/** A fault that strikes one request. */
export interface Strike {
  readonly fault: Fault;
  /** To be called when it happens. */
  struck(): void;
  /** Where the answer has to let another go first: until it has. */
  turn?: Promise<void>;
}

/** A fault that was added to the proxy. */
export interface Rule {
  readonly fault: Fault;
  readonly match: Match;
  /** How many requests it has struck. */
  readonly strikes: number;
  /** Resolves with the request that is struck next. A cut strikes when it happens, all else with the request. */
  next(): Promise<SeenRequest>;
  remove(): void;
}

/** The faults that are in force. */
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

  /** What strikes a request that has just come. `done` is when it will have been answered. */
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
  /** Lets the request go that waits for the next one to be answered. */
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
      // It may never get there: its client can leave.
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
