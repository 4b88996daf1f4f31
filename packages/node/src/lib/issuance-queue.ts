import { PlatformError } from './platform-error.ts';

/** Maximum number of queued issuances. Further issuances are rejected immediately. */
const maxQueued = 1000;

/**
 * Maximum pause of the queue in milliseconds. After a longer `Retry-After`, such as that of a
 * maintenance page, an issuance checks whether the platform is available earlier.
 */
const maxPauseMs = 60_000;

/** Issues one token within `timeoutMs` milliseconds. */
type Attempt<Value> = (timeoutMs: number) => Promise<Value>;

interface Job {
  /** Deadline by the monotonic clock, in milliseconds. */
  readonly deadline: number;
  readonly start: (timeoutMs: number) => Promise<void>;
  readonly fail: (error: unknown) => void;
  readonly expiry: ReturnType<typeof setTimeout>;
  /** Number of rejections so far. */
  rejections: number;
}

/**
 * Creates a queue that keeps token issuances within the platform's rate limit if many users open a
 * page simultaneously. An issuance rejected with 429 or 503 returns to the front of the queue, and the
 * whole queue pauses for the time in `Retry-After`, but at most a minute.
 *
 * @param maxConcurrent - Maximum number of issuances in flight. By default, the platform allows four
 *   concurrent calls per API key (docs/conformance.md, 8.2).
 */
export function createIssuanceQueue(maxConcurrent: number) {
  const queue: Job[] = [];
  let running = 0;
  let resumeAt = 0;
  let activePauses = 0;
  let isTimerSet = false;
  /** Whether the platform refused an issuance since the queue was last empty. */
  let wasRefused = false;

  return {
    /**
     * Runs `attempt` until it succeeds, fails permanently, or the timeout has passed.
     *
     * @param timeoutMs - Timeout in milliseconds, including the time in the queue.
     * @throws PlatformError `TIMEOUT` or `QUEUE_FULL`, both with `retryAfterSeconds`; the platform's
     *   error if `Retry-After` or the pause of the queue ends after the timeout; every other error of
     *   `attempt`.
     */
    run<Value>(attempt: Attempt<Value>, timeoutMs: number): Promise<Value> {
      if (queue.length >= maxQueued) return Promise.reject(queueFullError());
      return new Promise((resolve, reject) => {
        const job: Job = {
          deadline: performance.now() + timeoutMs,
          start: async (remainingMs) => resolve(await attempt(remainingMs)),
          fail: reject,
          expiry: setTimeout(() => expire(job, timeoutMs), timeoutMs),
          rejections: 0,
        };
        queue.push(job);
        startNext();
      });
    },

    /**
     * Pauses the queue while another call with the same API key waits for the rate limit, so that the
     * other call has priority.
     *
     * @returns A function that ends this pause.
     */
    pause(): () => void {
      activePauses += 1;
      return () => {
        activePauses -= 1;
        startNext();
      };
    },
  };

  function startNext(): void {
    if (activePauses > 0) return;
    const delayMs = resumeAt - performance.now();
    if (delayMs > 0) {
      if (isTimerSet) return;
      isTimerSet = true;
      setTimeout(() => {
        isTimerSet = false;
        startNext();
      }, delayMs);
      return;
    }
    while (running < maxConcurrent) {
      const job = queue.shift();
      if (!job) {
        if (running === 0) wasRefused = false;
        return;
      }
      running += 1;
      void runJob(job);
    }
  }

  async function runJob(job: Job): Promise<void> {
    const startedAt = performance.now();
    try {
      await job.start(Math.max(1, job.deadline - performance.now()));
      clearTimeout(job.expiry);
    } catch (error) {
      const isRequeued = isTemporaryRejection(error) && requeue(job, error, startedAt);
      if (!isRequeued) {
        clearTimeout(job.expiry);
        job.fail(isTemporaryRejection(error) ? createNotRetriedError(error, job) : error);
      }
    }
    running -= 1;
    startNext();
  }

  /**
   * Pauses the queue, and puts a rejected issuance back to its front. Returns false, and does not put
   * the issuance back, if its deadline is before the end of the pause or of `Retry-After`.
   */
  function requeue(job: Job, error: PlatformError, startedAt: number): boolean {
    const delayMs =
      error.retryAfterSeconds === null
        ? Math.random() * 250 * 2 ** job.rejections
        : error.retryAfterSeconds * 1000;
    job.rejections += 1;
    wasRefused = true;
    // After 429, the delay is counted from the request, because the time window of the rate limit
    // moves while the response is in transit. After 503, it is counted from the response.
    const rejectedAt = error.status === 429 ? startedAt : performance.now();
    resumeAt = Math.max(resumeAt, rejectedAt + Math.min(delayMs, maxPauseMs));
    if (Math.max(resumeAt, rejectedAt + delayMs) >= job.deadline) return false;
    queue.unshift(job);
    return true;
  }

  function expire(job: Job, timeoutMs: number): void {
    const index = queue.indexOf(job);
    // Not in the queue: the issuance is running, and the timeout of its request ends it.
    if (index < 0) return;
    queue.splice(index, 1);
    job.fail(
      new PlatformError(
        'TIMEOUT',
        `No token within ${timeoutMs} ms: ${queue.length + running} other issuances are in progress. ${remedy()}`,
        { retryable: true, retryAfterSeconds: secondsToResume() },
      ),
    );
  }

  /** The remedy for a long queue: the platform has refused issuances, or the client sends too few. */
  function remedy(): string {
    return wasRefused
      ? 'The rate limit of this API key is reached: raise limits.api_key of the platform.'
      : `Issuances wait because only ${maxConcurrent} may be in flight: raise concurrentIssuances of the client, and keep it below limits.api_key.concurrent of the platform.`;
  }

  function queueFullError(): PlatformError {
    return new PlatformError('QUEUE_FULL', `${maxQueued} issuances wait. ${remedy()}`, {
      retryable: true,
      retryAfterSeconds: secondsToResume(),
    });
  }

  function secondsToResume(): number {
    return Math.max(1, Math.ceil((resumeAt - performance.now()) / 1000));
  }
}

/** Whether the platform rejected the issuance temporarily, without any effect (429 or 503). */
function isTemporaryRejection(error: unknown): error is PlatformError {
  return (
    error instanceof PlatformError &&
    error.retryable &&
    (error.status === 429 || error.status === 503)
  );
}

/** Creates an error with the platform's code, and with the reason why the issuance was not retried. */
function createNotRetriedError(rejection: PlatformError, { rejections }: Job): PlatformError {
  const { code, message, status, retryAfterSeconds, requestId, problem } = rejection;
  const reason =
    retryAfterSeconds === null
      ? `the platform rejected the issuance ${rejections} times, and its timeout (\`timeoutMs\`) ends before the next attempt`
      : `the platform requests a wait of ${retryAfterSeconds} seconds, which is longer than the timeout of the issuance (\`timeoutMs\`)`;
  const advice =
    status === 429 ? ' Raise limits.api_key of the platform if this happens often.' : '';
  return new PlatformError(code, `${message} No token was issued: ${reason}.${advice}`, {
    ...(status !== null && { status }),
    ...(problem && { problem }),
    retryable: true,
    retryAfterSeconds,
    requestId,
    cause: rejection,
  });
}
