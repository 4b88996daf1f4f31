export interface UserLimit {
  /** Maximum number of tokens of one user within `seconds`. */
  tokens: number;
  seconds: number;
}

/**
 * Counts the tokens of each user in a sliding window. It remembers only users of the current window.
 *
 * @returns A function that counts a token for a user and returns 0. If the user has reached the limit,
 *   it counts nothing, and returns the seconds until the next token.
 */
export function createUserRate({ tokens, seconds }: UserLimit) {
  /** Times of the latest tokens of each user, oldest first; the user of the latest token comes last. */
  const people = new Map<string, number[]>();

  return function take(externalUserId: string): number {
    const start = performance.now() - seconds * 1000;
    for (const [person, times] of people) {
      if ((times.at(-1) ?? start) > start) break;
      people.delete(person);
    }
    const recent = (people.get(externalUserId) ?? []).filter((time) => time > start);
    if (recent.length >= tokens) return Math.max(1, Math.ceil(((recent[0] ?? 0) - start) / 1000));
    people.delete(externalUserId);
    people.set(externalUserId, [...recent, performance.now()]);
    return 0;
  };
}
