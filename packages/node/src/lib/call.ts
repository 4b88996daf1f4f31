import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { errorOf, PlatformError } from './platform-error.ts';

/**
 * Condition for retrying a call. `idempotent`: after any temporary failure. `rejected`: only after a
 * status which means that the platform did nothing (429 and 503).
 */
export type Retry = 'idempotent' | 'rejected';

/**
 * Maximum wait before a retry. A call that would have to wait longer rejects, and its
 * `retryAfterSeconds` says how long.
 */
const maxDelayMs = 30_000;

interface CallerOptions {
  baseUrl: string;
  /** @throws PlatformError `INVALID_OPTION` if there is no API key. */
  apiKey: () => string;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  /**
   * Called when a call has to wait for the rate limit of the API key. Returns a function that is
   * called when the wait has ended.
   */
  onRateLimited?: () => () => void;
}

interface CallOptions {
  body?: unknown;
  /** A list becomes a repeated parameter. */
  query?: Record<string, string | number | readonly string[] | undefined>;
  /** @default idempotent */
  retry?: Retry;
  /** @default the client's `maxRetries` */
  maxRetries?: number;
  /** Timeout of one attempt in milliseconds, if less than the client's. */
  timeoutMs?: number;
  /** Replaces the client's timeout of one attempt, in milliseconds. */
  longTimeoutMs?: number;
  /** Whether the timeout covers only the time until the response starts. */
  streams?: boolean;
  /** Aborts the call, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** @default '/agent/v1' */
  prefix?: string;
  headers?: Record<string, string>;
}

type Method = 'GET' | 'POST' | 'DELETE';

/**
 * Calls the platform and parses the response with a schema of the protocol.
 *
 * @param path The segments of the path after the prefix, not encoded.
 */
export type Call = <Schema extends z.core.$ZodType>(
  method: Method,
  path: readonly string[],
  schema: Schema,
  options?: CallOptions,
) => Promise<z.infer<Schema>>;

/** Calls the platform and returns the response, without reading its body. */
export type Open = (
  method: Method,
  path: readonly string[],
  options?: CallOptions,
) => Promise<Response>;

/** Creates the functions that call the platform. */
export function createCaller(options: CallerOptions): { call: Call; open: Open } {
  return {
    call: (method, path, schema, callOptions) =>
      send(method, path, callOptions, (response) =>
        readBody(response, schema, callOptions?.signal),
      ),
    open: (method, path, callOptions) =>
      send(method, path, callOptions, (response) => Promise.resolve(response)),
  };

  /** @param read Reads the response. If it returns an error, the request is retried. */
  async function send<Result>(
    method: Method,
    path: readonly string[],
    {
      body,
      query = {},
      retry = 'idempotent',
      prefix = '/agent/v1',
      headers = {},
      ...limits
    }: CallOptions = {},
    read: (response: Response) => Promise<Result | PlatformError>,
  ): Promise<Result> {
    const url = new URL(`${options.baseUrl}${prefix}${encodePath(prefix, path)}`);
    for (const [name, value] of Object.entries(query)) {
      for (const each of [value ?? []].flat()) url.searchParams.append(name, String(each));
    }
    const allHeaders = { ...headers, authorization: `Bearer ${options.apiKey()}` };
    const maxRetries = limits.maxRetries ?? options.maxRetries;
    const timeoutMs =
      limits.longTimeoutMs ??
      Math.min(options.timeoutMs, limits.timeoutMs ?? Number.POSITIVE_INFINITY);
    let releaseQueue: (() => void) | undefined;
    try {
      for (let attempt = 0; ; attempt += 1) {
        const request = { method, headers: allHeaders, body };
        const sending = sendOnce(options.fetch, url, request, { ...limits, timeoutMs });
        // Released after the retry was sent, which so precedes the queued calls, but before its
        // response, which may take minutes.
        releaseQueue?.();
        releaseQueue = undefined;
        const response = await sending;
        // `instanceof Response` would fail if a framework has replaced the global `Response`.
        const result = response instanceof PlatformError ? response : await read(response);
        if (!(result instanceof PlatformError)) return result;
        if (attempt >= maxRetries || !mayRetry(result, retry)) throw result;
        const delayMs = backoffMs(attempt, result.retryAfterSeconds);
        if (delayMs > maxDelayMs) throw result;
        if (isKeyLimited(result)) releaseQueue = options.onRateLimited?.();
        await wait(delayMs, limits.signal);
      }
    } finally {
      releaseQueue?.();
    }
  }
}

/**
 * Encodes and joins path segments, because ids may contain any character. Rejects an id or name that
 * would call the method for something else: `undefined` would be the user with that id, and URL parsers
 * remove segments that are empty, `.` or `..` (WHATWG URL, section 4.4).
 */
function encodePath(prefix: string, segments: readonly unknown[]): string {
  return segments
    .map((segment) => {
      if (isValidSegment(segment)) return `/${encodeURIComponent(segment)}`;
      const path = segments.map((each) => `/${typeof each === 'string' ? each : ''}`).join('');
      throw new PlatformError(
        'INVALID_OPTION',
        `An id or name is ${describe(segment)} in the path ${prefix}${path}. Pass a non-empty string other than \`.\` and \`..\`.`,
      );
    })
    .join('');
}

/** Whether a value is a well-formed string that URL parsers do not remove from a path. */
const isValidSegment = (value: unknown): value is string =>
  typeof value === 'string' && !/^\.{0,2}$|\p{Surrogate}/u.test(value);

/** Describes an invalid id. Members of objects, such as a database row, must not get into a log. */
function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

async function sendOnce(
  fetch: typeof globalThis.fetch,
  url: URL,
  { method, headers, body }: { method: Method; headers: Record<string, string>; body: unknown },
  { timeoutMs, streams, signal }: { timeoutMs: number } & Pick<CallOptions, 'streams' | 'signal'>,
): Promise<Response | PlatformError> {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DOMException('', 'TimeoutError')),
    Math.ceil(timeoutMs),
  );
  // The timer also limits the reading of the body, so it is not cleared after the response. It must
  // not keep the process alive.
  timer.unref();
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect would send the key to another address.
      redirect: 'error',
      signal: signal ? AbortSignal.any([timeout.signal, signal]) : timeout.signal,
    });
    if (!response.ok) {
      const error = await errorOf(response);
      // `errorOf` ignores a body that could not be read, even if the signal is the cause.
      signal?.throwIfAborted();
      return error;
    }
    if (streams) clearTimeout(timer);
    return response;
  } catch (cause) {
    signal?.throwIfAborted();
    const details = { retryable: true, cause };
    return isTimeout(cause)
      ? new PlatformError(
          'TIMEOUT',
          `No response from ${url.origin} within ${Math.ceil(timeoutMs)} ms.`,
          details,
        )
      : new PlatformError(
          'NETWORK_ERROR',
          `The platform at ${url.origin} can't be reached.`,
          details,
        );
  }
}

const isTimeout = (cause: unknown) =>
  cause instanceof DOMException && cause.name === 'TimeoutError';

/** Reads the body. Returns an error if the body is incomplete or does not match the schema. */
async function readBody<Schema extends z.core.$ZodType>(
  response: Response,
  schema: Schema,
  signal: AbortSignal | undefined,
): Promise<z.infer<Schema> | PlatformError> {
  const requestId = response.headers.get('x-request-id');
  let body: unknown;
  try {
    body = await response.json();
  } catch (cause) {
    signal?.throwIfAborted();
    if (!(cause instanceof SyntaxError)) {
      const details = { retryable: true, requestId, cause };
      return isTimeout(cause)
        ? new PlatformError('TIMEOUT', 'The response did not end within the timeout.', details)
        : new PlatformError('NETWORK_ERROR', 'The response ended before it was complete.', details);
    }
  }
  const result = z.safeParse(schema, body);
  if (result.success) return result.data;
  return new PlatformError(
    'UNEXPECTED_RESPONSE',
    "The response does not come from the platform's API. Check that baseUrl is the platform's URL.",
    { status: response.status, requestId },
  );
}

/**
 * Resolves after a delay.
 *
 * @param ms At most 2,147,483,647, the maximum of timers.
 * @throws The reason of the signal, as soon as it is aborted.
 */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, { signal }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw cause;
  });
}

/**
 * Whether the rate limit of the API key was exceeded, not that of a model, which does not count other
 * calls (docs/conformance.md, 8.1).
 */
function isKeyLimited({ status, problem }: PlatformError): boolean {
  return status === 429 && problem?.scope !== 'model';
}

function mayRetry(error: PlatformError, retry: Retry): boolean {
  if (!error.retryable) return false;
  return retry === 'idempotent' || error.status === 429 || error.status === 503;
}

/** Delay in milliseconds: `Retry-After`, otherwise exponential backoff from 250 ms with full jitter. */
function backoffMs(attempt: number, retryAfterSeconds: number | null): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000;
  return Math.random() * 250 * 2 ** attempt;
}
