/** Returns the error with which `fetch` rejects without a response. */
export function networkError(): TypeError {
  return new TypeError('Failed to fetch');
}

/** Waits for a response until the signal is aborted, and then rejects as `fetch` does. */
export function untilGivenUp<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
