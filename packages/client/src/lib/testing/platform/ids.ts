/**
 * Generates sequential ids, so that tests can predict them: the first session is `ses_1`, the second
 * event `evt_2`.
 */
export class Ids {
  readonly #counts = new Map<string, number>();

  next(prefix: string): string {
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    return `${prefix}${count}`;
  }
}
