import { left, type Moment, since } from '../moment.ts';
import type { Clock } from '../ports.ts';
import { refreshFloor, refreshPoint } from './refresh-point.ts';

/** A token in memory, and how old it is. Its end is counted from its receipt, never compared. */
export class HeldToken {
  readonly #value: string;
  readonly #clock: Clock;
  #received: Moment;
  #lifetime: number | null = null;
  #refreshAfter: number | null = null;

  constructor(value: string, received: Moment, clock: Clock) {
    this.#value = value;
    this.#received = received;
    this.#clock = clock;
  }

  /** The secret. For the `Authorization` header and the comparison with another, nothing else. */
  get value(): string {
    return this.#value;
  }

  /** Sets how many milliseconds it lives, counted from a moment. */
  live(lifetime: number, from: Moment, random: () => number): void {
    this.#received = from;
    this.#lifetime = lifetime;
    // Whole milliseconds: a timer can't wait for less, and would fire again and again.
    this.#refreshAfter = Math.floor(Math.max(refreshFloor, refreshPoint(lifetime, random)));
  }

  /** Whether its life is over. False while its lifetime is unknown: then the server tells. */
  get expired(): boolean {
    return this.#lifetime !== null && since(this.#received, this.#clock) >= this.#lifetime;
  }

  /** Milliseconds until it should be replaced; null while its lifetime is unknown. */
  get untilRefresh(): number | null {
    if (this.#refreshAfter === null) return null;
    return left(this.#received, this.#refreshAfter, this.#clock);
  }
}
