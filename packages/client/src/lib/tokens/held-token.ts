import { InlayError } from '../errors.ts';
import { left, type Moment, moment, since } from '../moment.ts';
import type { Ports } from '../ports.ts';
import { refreshFloor, refreshPoint } from './refresh-point.ts';

/** A token in memory, and how old it is. Its end is counted from its receipt, never compared. */
export class HeldToken {
  /** The secret. For the `Authorization` header and the comparison with another, nothing else. */
  readonly value: string;
  readonly #ports: Ports;
  readonly #obtained: Moment;
  #received: Moment | null = null;
  #lifetime = 0;
  #refreshAfter = 0;

  constructor(value: string, ports: Ports) {
    this.value = value;
    this.#ports = ports;
    this.#obtained = moment(ports.clock);
  }

  /** Milliseconds since it was obtained. */
  get age(): number {
    return since(this.#obtained, this.#ports.clock);
  }

  /** Sets how many milliseconds it lives, counted from a moment. Throws for one that is spent. */
  live(lifetime: number, from: Moment): void {
    if (lifetime <= 0) {
      throw new InlayError(
        'EMBED_TOKEN_EXPIRED',
        'getToken gave a token that has expired. Let your backend issue a new one on every call.',
        { retryable: true },
      );
    }
    this.#received = from;
    this.#lifetime = lifetime;
    // Whole milliseconds: a timer can't wait for less, and would fire again and again.
    this.#refreshAfter = Math.floor(
      Math.max(refreshFloor, refreshPoint(lifetime, this.#ports.random)),
    );
  }

  /** Whether its life is over. False while its lifetime is unknown: then the server tells. */
  get expired(): boolean {
    return this.#left(this.#lifetime) === 0;
  }

  /** Milliseconds until it should be replaced; without end while its lifetime is unknown. */
  get untilRefresh(): number {
    return this.#left(this.#refreshAfter);
  }

  #left(span: number): number {
    return this.#received ? left(this.#received, span, this.#ports.clock) : Infinity;
  }
}
