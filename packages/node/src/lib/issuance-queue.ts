import { PlatformError } from './platform-error.ts';

/**
 * Maximum number of concurrent issuances. By default, the platform allows four concurrent calls per
 * API key (service reference, section 8.2), which leaves one for revoking and blocking.
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
  /** Number of refusals so far. */
  refusals: number;
}

/**
 * A queue for token issuance, which stays within the platform's rate limit if many users open a page
 * at once. An issuance refused with 429 or 503 returns to the front of the queue, and the whole queue
 * pauses for the time in `Retry-After`.
 */
export function createIssuanceQueue() {
  const waiting: Job[] = [];
  let running = 0;
  let resumeAt = 0;
  let holds = 0;
  let isTimerSet = false;

  return {
    /**
     * Runs `attempt` until it succeeds, fails permanently, or the timeout has passed.
     *
     * @param timeoutMs - Timeout in milliseconds, including the time in the queue.
     * @throws PlatformError `TIMEOUT` or `QUEUE_FULL`, both with `retryAfterSeconds`; the platform's
     *   error if its `Retry-After` is after the timeout; every other error of `attempt`.
     */
    run<Value>(attempt: Attempt<Value>, timeoutMs: number): Promise<Value> {
      if (waiting.length >= maxQueued) return Promise.reject(queueFull(secondsToResume()));
      return new Promise((resolve, reject) => {
        const job: Job = {
          deadline: performance.now() + timeoutMs,
          start: async (remainingMs) => resolve(await attempt(remainingMs)),
          fail: reject,
          expiry: setTimeout(() => expire(job, timeoutMs), timeoutMs),
          refusals: 0,
        };
        waiting.push(job);
        startNext();
      });
    },

    /**
     * Pauses the queue until the returned function is called, for another call with the same API key
     * that was refused by the rate limit and has priority.
     */
    hold(): () => void {
      holds += 1;
      return () => {
        holds -= 1;
        startNext();
      };
    },
  };

  function startNext(): void {
    if (holds > 0) return;
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
      const job = waiting.shift();
      if (!job) return;
      running += 1;
      void runJob(job);
    }
  }

  async function runJob(job: Job): Promise<void> {
    try {
      await job.start(Math.max(1, job.deadline - performance.now()));
      clearTimeout(job.expiry);
    } catch (error) {
      const isRequeued = isRefusal(error) && requeue(job, error);
      if (!isRequeued) {
        clearTimeout(job.expiry);
        job.fail(isRefusal(error) ? tooLongToWait(error) : error);
      }
    }
    running -= 1;
    startNext();
  }

  /** Returns a refused issuance to the queue. Returns false if `Retry-After` is after its deadline. */
  function requeue(job: Job, error: PlatformError): boolean {
    const pause =
      error.retryAfterSeconds === null
        ? Math.random() * 250 * 2 ** job.refusals
        : error.retryAfterSeconds * 1000;
    job.refusals += 1;
    resumeAt = Math.max(resumeAt, performance.now() + pause);
    if (resumeAt >= job.deadline) return false;
    waiting.unshift(job);
    return true;
  }

  function expire(job: Job, timeoutMs: number): void {
    const index = waiting.indexOf(job);
    // A running issuance ends with the timeout of its request.
    if (index < 0) return;
    waiting.splice(index, 1);
    job.fail(
      new PlatformError(
        'TIMEOUT',
        `No token within ${timeoutMs} ms: ${waiting.length + running} other issuances wait for the rate limit of this API key. Raise limits.api_key of the platform.`,
        { retryable: true, retryAfterSeconds: secondsToResume() },
      ),
    );
  }

  function secondsToResume(): number {
    return Math.max(1, Math.ceil((resumeAt - performance.now()) / 1000));
  }
}

/** Whether the platform refused the issuance temporarily, without any effect (429 or 503). */
function isRefusal(error: unknown): error is PlatformError {
  return (
    error instanceof PlatformError &&
    error.retryable &&
    (error.status === 429 || error.status === 503)
  );
}

/** Creates an error like the platform's, with the reason why the issuance was not retried. */
function tooLongToWait(refusal: PlatformError): PlatformError {
  const { code, message, status, retryAfterSeconds, requestId, problem } = refusal;
  const reason =
    retryAfterSeconds === null ? 'kept refusing it' : `asks to wait ${retryAfterSeconds} seconds`;
  return new PlatformError(
    code,
    `${message} No token was issued: the platform ${reason}, which is longer than the timeout of this issuance (\`timeoutMs\`). Raise limits.api_key of the platform if this happens often.`,
    {
      ...(status !== null && { status }),
      ...(problem && { problem }),
      retryable: true,
      retryAfterSeconds,
      requestId,
      cause: refusal,
    },
  );
}

function queueFull(retryAfterSeconds: number): PlatformError {
  return new PlatformError(
    'QUEUE_FULL',
    `${maxQueued} issuances wait for the rate limit of this API key. Raise limits.api_key of the platform.`,
    { retryable: true, retryAfterSeconds },
  );
}
