import { PlatformError } from './platform-error.ts';

/**
 * Issuances of one API key in flight at a time. The platform's default is four calls at once for
 * each key (service reference, section 8.2), so one is left for revoking and blocking.
 */
const concurrent = 3;

/** Maximum number of waiting issuances. Further ones are refused at once. */
const maxWaiting = 1000;

/** Issues one token. It may take at most `timeout` milliseconds. */
type Attempt<Value> = (timeout: number) => Promise<Value>;

interface Job {
  /** Deadline by the monotonic clock, in milliseconds. */
  readonly deadline: number;
  readonly start: (timeout: number) => Promise<void>;
  readonly fail: (error: unknown) => void;
  readonly expiry: ReturnType<typeof setTimeout>;
  /** Refusals so far. */
  refusals: number;
}

/**
 * A queue in front of token issuance, which keeps many users who open a page at once within the
 * platform's rate limit. An issuance that is refused with 429 or 503 goes back to the front of the
 * queue, and the whole queue pauses for as long as the platform asks.
 */
export function createIssuanceQueue() {
  const waiting: Job[] = [];
  let running = 0;
  let resumeAt = 0;
  let holds = 0;
  let isTimerSet = false;

  return {
    /**
     * Runs `attempt` until it succeeds, fails for good, or `within` milliseconds have passed.
     *
     * @throws PlatformError `TIMEOUT` or `QUEUE_FULL`, both with `retryAfterSeconds`; the platform's own
     * error where it asks for more time than there is, with a message that says so; whatever else `attempt` throws.
     */
    run<Value>(attempt: Attempt<Value>, within: number): Promise<Value> {
      if (waiting.length >= maxWaiting) return Promise.reject(queueFull(secondsToResume()));
      return new Promise((resolve, reject) => {
        const job: Job = {
          deadline: performance.now() + within,
          start: async (timeout) => resolve(await attempt(timeout)),
          fail: reject,
          expiry: setTimeout(() => expire(job, within), within),
          refusals: 0,
        };
        waiting.push(job);
        startNext();
      });
    },

    /**
     * Starts no further issuance until the returned function is called: another call with the same
     * API key was refused by the rate limit, and goes first.
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
    while (running < concurrent) {
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
      const isWaiting = isRefusal(error) && waitAgain(job, error);
      if (!isWaiting) {
        clearTimeout(job.expiry);
        job.fail(isRefusal(error) ? tooLongToWait(error) : error);
      }
    }
    running -= 1;
    startNext();
  }

  /** Puts a refused issuance back. Returns false if the platform asks for more time than is left. */
  function waitAgain(job: Job, error: PlatformError): boolean {
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

  function expire(job: Job, within: number): void {
    const index = waiting.indexOf(job);
    // A running issuance ends by the timeout of its request.
    if (index < 0) return;
    waiting.splice(index, 1);
    job.fail(
      new PlatformError(
        'TIMEOUT',
        `No token within ${within} ms: ${waiting.length + running} other issuances wait for the rate limit of this API key. Raise limits.api_key of the platform.`,
        { retryable: true, retryAfterSeconds: secondsToResume() },
      ),
    );
  }

  function secondsToResume(): number {
    return Math.max(1, Math.ceil((resumeAt - performance.now()) / 1000));
  }
}

/** Whether the platform did nothing and asks for a retry (429 or 503). */
function isRefusal(error: unknown): error is PlatformError {
  return (
    error instanceof PlatformError &&
    error.retryable &&
    (error.status === 429 || error.status === 503)
  );
}

/** The platform's error, with the reason why the call was not retried. */
function tooLongToWait(refusal: PlatformError): PlatformError {
  const { code, message, status, retryAfterSeconds, requestId, problem } = refusal;
  const asked =
    retryAfterSeconds === null
      ? 'went on refusing it'
      : `asks to wait ${retryAfterSeconds} seconds`;
  return new PlatformError(
    code,
    `${message} No token was issued: the platform ${asked}, which is more time than this issuance has (\`within\`). Raise limits.api_key of the platform if this happens often.`,
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
    `${maxWaiting} issuances wait for the rate limit of this API key. Raise limits.api_key of the platform.`,
    { retryable: true, retryAfterSeconds },
  );
}
