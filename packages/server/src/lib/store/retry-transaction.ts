/**
 * Maximum attempts, including the first. Few are needed: while one of two conflicting transactions
 * is rolled back and restarts, the other one usually commits.
 */
const maxAttempts = 5;

/** `serialization_failure` and `deadlock_detected`: the transaction was rolled back completely. */
const retryableCodes: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/** Retries a transaction that the database aborted because of a conflict with another one. */
export async function retryTransaction<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (!retryableCodes.has(code) || count === maxAttempts) throw error;
    }
  }
}
