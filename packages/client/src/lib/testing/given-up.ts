/** What `fetch` rejects with when there is no answer. */
export function networkError(): TypeError {
  return new TypeError('Failed to fetch');
}

/** Waits for an answer no longer than the one who asked, and rejects as `fetch` does. */
export function untilGivenUp<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
