/** Attempts, the first included. Each loser waits for the winner's end, so few are ever needed. */
const mostAttempts = 5;

/** `serialization_failure` and `deadlock_detected`: nothing of the transaction was done. */
const givenUp: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/** Does a transaction again that the database gave up in favour of another one. */
export async function repeatable<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (!givenUp.has(code) || count === mostAttempts) throw error;
    }
  }
}
