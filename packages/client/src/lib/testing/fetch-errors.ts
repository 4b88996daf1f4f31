/** Returns the error with which `fetch` rejects without a response. */
export function networkError(): TypeError {
  return new TypeError('Failed to fetch');
}

/** Returns a promise that rejects like `fetch` when the signal is aborted. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
