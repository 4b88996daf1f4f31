export interface UserLimit {
  /** Maximum number of tokens of one user within `seconds`. */
  tokens: number;
  seconds: number;
}

/**
 * Creates a rate limiter with a sliding window per user. It stores only users of the current window.
 *
 * @returns A function that counts a token of a user and returns 0. If the user has reached the limit,
 *   it does not count and returns the seconds until the next token.
 */
export function createUserRateLimiter({ tokens, seconds }: UserLimit) {
  /** Times of the recent tokens of each user, oldest first. The user of the latest token is last. */
  const users = new Map<string, number[]>();

  return function take(externalUserId: string): number {
    const start = performance.now() - seconds * 1000;
    for (const [user, times] of users) {
      if ((times.at(-1) ?? start) > start) break;
      users.delete(user);
    }
    const recent = (users.get(externalUserId) ?? []).filter((time) => time > start);
    if (recent.length >= tokens) return Math.max(1, Math.ceil(((recent[0] ?? 0) - start) / 1000));
    users.delete(externalUserId);
    users.set(externalUserId, [...recent, performance.now()]);
    return 0;
  };
}
