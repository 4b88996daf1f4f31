export interface UserLimit {
  /** Tokens that one person may get within `seconds`. */
  tokens: number;
  seconds: number;
}

/**
 * Counts the tokens of each person in a sliding window. It remembers only people who got one within
 * the window.
 *
 * @returns A function that counts a token for a person, and returns 0; where the person has had
 * enough, it counts nothing and returns the seconds until the next one.
 */
export function createUserRate({ tokens, seconds }: UserLimit) {
  /** Times of the latest tokens of each person, oldest first; the person of the latest token last. */
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
