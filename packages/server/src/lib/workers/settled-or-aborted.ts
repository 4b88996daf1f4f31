/**
 * Resolves when a set of promises that never reject has become empty; earlier if `signal` is aborted.
 * Each promise leaves the set when it is settled, and may have added others.
 */
export async function settledOrAborted(
  pending: ReadonlySet<Promise<void>>,
  signal?: AbortSignal,
): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  while (pending.size > 0 && !signal?.aborted) {
    await Promise.race([Promise.all(pending), aborted]);
  }
}
