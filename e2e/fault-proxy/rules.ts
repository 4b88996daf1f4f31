import type { Fault, Match, SeenRequest } from './fault.ts';
import { Waiters } from './waiters.ts';

/** A fault that applies to one request. */
export interface AppliedFault {
  readonly fault: Fault;
  /** Called when the fault takes effect. */
  onEffect(): void;
  /** For `reorder`: resolves when the response to the next matching request was sent. */
  turn?: Promise<void>;
}

/** A fault that was added to the proxy. */
export interface Rule {
  readonly fault: Fault;
  readonly match: Match;
  /** Number of requests that the fault has applied to. */
  readonly timesApplied: number;
  /**
   * Resolves with the next affected request: for `cut` and `lose-answer` when the connection is cut,
   * otherwise when the request arrives.
   */
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

  /** Returns the faults that apply to a new request. `done` resolves when it has been answered. */
  applyTo(request: SeenRequest, done: Promise<void>): AppliedFault[] {
    return [...this.#rules].flatMap((rule) => rule.applyTo(request, done) ?? []);
  }
}

class ActiveRule implements Rule {
  readonly fault: Fault;
  readonly match: Match;
  readonly remove: () => void;
  readonly #waiters = new Waiters<SeenRequest>();
  #seen = 0;
  #selected = 0;
  #timesApplied = 0;
  /** Releases the response that `reorder` delays until the next response was sent. */
  #release: (() => void) | null = null;

  constructor(fault: Fault, match: Match, onRemove: () => void) {
    this.fault = fault;
    this.match = match;
    this.remove = () => {
      this.#release?.();
      onRemove();
    };
  }

  get timesApplied(): number {
    return this.#timesApplied;
  }

  next(): Promise<SeenRequest> {
    return this.#waiters.next();
  }

  applyTo(request: SeenRequest, done: Promise<void>): AppliedFault | null {
    if (!matches(this.match, request)) return null;
    if (this.#release) {
      void done.then(this.#release);
      this.#release = null;
      return null;
    }
    this.#seen += 1;
    const { nth = 1, times = this.match.nth === undefined ? Number.POSITIVE_INFINITY : 1 } =
      this.match;
    if (this.#seen < nth || this.#selected >= times) return null;
    this.#selected += 1;
    const onEffect = () => {
      this.#timesApplied += 1;
      this.#waiters.notify(request);
    };
    const applied: AppliedFault = { fault: this.fault, onEffect };
    if (this.fault.type === 'reorder') applied.turn = this.#waitForNextResponse(done);
    if (this.fault.type !== 'cut' && this.fault.type !== 'lose-answer') onEffect();
    return applied;
  }

  #waitForNextResponse(done: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve;
      // The client that waits for the delayed response may disconnect before that.
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
