import { PlatformError } from './platform-error.ts';

/**
 * Maximum number of concurrent issuances. By default, the platform allows four concurrent calls per
 * API key (service reference, section 8.2): one remains for revoking and blocking.
 */
const maxConcurrent = 3;

/** Maximum number of queued issuances. Further ones are rejected at once. */
const maxQueued = 1000;

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
 * A queue for token issuance, which stays within the platform's rate limit if many users open a page
 * at once. An issuance rejected with 429 or 503 returns to the front of the queue, and the whole queue
 * pauses for the time in `Retry-After`.
 */
export function createIssuanceQueue() {
  const queue: Job[] = [];
  let running = 0;
  let resumeAt = 0;
  let holdCount = 0;
  let isTimerSet = false;

  return {
    /**
     * Runs `attempt` until it succeeds, fails permanently, or the timeout has passed.
     *
     * @param timeoutMs - Timeout in milliseconds, including the time in the queue.
     * @throws PlatformError `TIMEOUT` or `QUEUE_FULL`, both with `retryAfterSeconds`; the platform's
     *   error if the queue would resume only after the timeout; every other error of `attempt`.
     */
    run<Value>(attempt: Attempt<Value>, timeoutMs: number): Promise<Value> {
      if (queue.length >= maxQueued) return Promise.reject(queueFullError(secondsToResume()));
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
     * Pauses the queue until the returned function is called, for another call with the same API key
     * that was rejected by the rate limit and has priority.
     */
    pause(): () => void {
      holdCount += 1;
      return () => {
        holdCount -= 1;
        startNext();
      };
    },
  };

  function startNext(): void {
    if (holdCount > 0) return;
    const pause = resumeAt - performance.now();
    if (pause > 0) {
      if (isTimerSet) return;
      isTimerSet = true;
      setTimeout(() => {
        isTimerSet = false;
        startNext();
      }, pause);
      return;
    }
    while (running < maxConcurrent) {
      const job = queue.shift();
      if (!job) return;
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
        job.fail(isTemporaryRejection(error) ? createNotRetriedError(error) : error);
      }
    }
    running -= 1;
    startNext();
  }

  /**
   * Puts a rejected issuance back into the queue, which pauses. Returns false if it would resume only
   * after the deadline of the issuance.
   */
  function requeue(job: Job, error: PlatformError, startedAt: number): boolean {
    const pause =
      error.retryAfterSeconds === null
        ? Math.random() * 250 * 2 ** job.rejections
        : error.retryAfterSeconds * 1000;
    job.rejections += 1;
    // The wait for a rate limit (429) is counted from the request, because its window moves on
    // while the response is in transit. The wait for an overloaded platform (503) is counted from
    // the response.
    const rejectedAt = error.status === 429 ? startedAt : performance.now();
    resumeAt = Math.max(resumeAt, rejectedAt + pause);
    if (resumeAt >= job.deadline) return false;
    queue.unshift(job);
    return true;
  }

  function expire(job: Job, timeoutMs: number): void {
    const index = queue.indexOf(job);
    // A running issuance ends with the timeout of its request.
    if (index < 0) return;
    queue.splice(index, 1);
    job.fail(
      new PlatformError(
        'TIMEOUT',
        `No token within ${timeoutMs} ms: ${queue.length + running} other issuances wait for the rate limit of this API key. Raise limits.api_key of the platform.`,
        { retryable: true, retryAfterSeconds: secondsToResume() },
      ),
    );
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
function createNotRetriedError(rejection: PlatformError): PlatformError {
  const { code, message, status, retryAfterSeconds, requestId, problem } = rejection;
  const reason =
    retryAfterSeconds === null
      ? 'rejected it repeatedly'
      : `requests a wait of ${retryAfterSeconds} seconds`;
  return new PlatformError(
    code,
    `${message} No token was issued: the platform ${reason}, which is longer than the timeout of this issuance (\`timeoutMs\`). Raise limits.api_key of the platform if this happens often.`,
    {
      ...(status !== null && { status }),
      ...(problem && { problem }),
      retryable: true,
      retryAfterSeconds,
      requestId,
      cause: rejection,
    },
  );
}

function queueFullError(retryAfterSeconds: number): PlatformError {
  return new PlatformError(
    'QUEUE_FULL',
    `${maxQueued} issuances wait for the rate limit of this API key. Raise limits.api_key of the platform.`,
    { retryable: true, retryAfterSeconds },
  );
}
