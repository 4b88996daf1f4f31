export interface UserLimit {
  /** Maximum number of tokens of one user within `seconds`. */
  tokens: number;
  /** Length of the sliding window in seconds. */
  seconds: number;
}

/**
 * Creates a rate limiter with a sliding window per user. It stores only users with tokens in the
 * current window.
 *
 * @returns A function that counts a token of a user and returns 0. If the user has reached the limit,
 *   the function counts nothing and returns the seconds until the next token is allowed.
 */
export function createUserRateLimiter({ tokens, seconds }: UserLimit) {
  /**
   * Times of the recent tokens of each user, oldest first. Users are sorted by their latest token,
   * oldest first.
   */
  const timesByUser = new Map<string, number[]>();

  return function countToken(externalUserId: string): number {
    const windowStart = performance.now() - seconds * 1000;
    for (const [user, times] of timesByUser) {
      if ((times.at(-1) ?? windowStart) > windowStart) break;
      timesByUser.delete(user);
    }
    const recent = (timesByUser.get(externalUserId) ?? []).filter((time) => time > windowStart);
    if (recent.length >= tokens) {
      return Math.max(1, Math.ceil(((recent[0] ?? 0) - windowStart) / 1000));
    }
    timesByUser.delete(externalUserId);
    timesByUser.set(externalUserId, [...recent, performance.now()]);
    return 0;
  };
}
