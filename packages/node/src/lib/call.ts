import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { errorOf, PlatformError } from './platform-error.ts';

/**
 * When a call is retried: `idempotent` after any temporary failure; `rejected` only after a status
 * which means that the platform did nothing (429 and 503).
 */
export type Retry = 'idempotent' | 'rejected';

interface CallerOptions {
  baseUrl: string;
  /** @throws PlatformError `INVALID_OPTION` if there is no API key. */
  apiKey: () => string;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  /** Called when a call has to wait for the rate limit. The returned function is called after it. */
  onRateLimited: () => () => void;
}

interface CallOptions {
  body?: unknown;
  query?: Record<string, string | number | undefined>;
  /** @default idempotent */
  retry?: Retry;
  /** Replaces the client's maximum. */
  maxRetries?: number;
  /** Timeout of one attempt in milliseconds, if less than the client's. */
  timeoutMs?: number;
}

/** Calls the platform. `createCaller` creates it. */
export type Call = ReturnType<typeof createCaller>;

/** Creates a function that calls the platform and parses the response with a schema of the protocol. */
export function createCaller(options: CallerOptions) {
  return async function call<Schema extends z.core.$ZodType>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    schema: Schema,
    { body, query = {}, retry = 'idempotent', ...limits }: CallOptions = {},
  ): Promise<z.infer<Schema>> {
    const url = new URL(`${options.baseUrl}/agent/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const authorization = `Bearer ${options.apiKey()}`;
    const maxRetries = limits.maxRetries ?? options.maxRetries;
    const timeoutMs = Math.min(options.timeoutMs, limits.timeoutMs ?? Number.POSITIVE_INFINITY);
    let releaseQueue: (() => void) | null = null;
    try {
      for (let attempt = 0; ; attempt += 1) {
        const result = await sendOnce(options.fetch, timeoutMs, method, url, authorization, body);
        // Not `instanceof Response`, because some servers replace that global.
        if (!(result instanceof PlatformError)) return await readBody(result, schema);
        if (attempt >= maxRetries || !mayRetry(result, retry)) throw result;
        if (result.status === 429) releaseQueue ??= options.onRateLimited();
        await delay(backoffMs(attempt, result.retryAfterSeconds));
      }
    } finally {
      releaseQueue?.();
    }
  };
}

async function sendOnce(
  fetch: typeof globalThis.fetch,
  timeoutMs: number,
  method: string,
  url: URL,
  authorization: string,
  body: unknown,
): Promise<Response | PlatformError> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        authorization,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect would send the key to another address.
      redirect: 'error',
      signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
    });
    return response.ok ? response : await errorOf(response);
  } catch (cause) {
    const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError';
    const details = { retryable: true, cause };
    return timedOut
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

async function readBody<Schema extends z.core.$ZodType>(response: Response, schema: Schema) {
  const body = await response.json().catch(() => undefined);
  const result = z.safeParse(schema, body);
  if (result.success) return result.data;
  throw new PlatformError(
    'UNEXPECTED_RESPONSE',
    "The response does not come from the platform's API. Check that baseUrl is the platform's URL.",
    { status: response.status, requestId: response.headers.get('x-request-id') },
  );
}

function mayRetry(error: PlatformError, retry: Retry): boolean {
  if (!error.retryable) return false;
  return retry === 'idempotent' || error.status === 429 || error.status === 503;
}

/** Delay in milliseconds: `Retry-After`, otherwise exponential backoff from 250 ms with full jitter. */
function backoffMs(attempt: number, retryAfterSeconds: number | null): number {
  if (retryAfterSeconds !== null) return Math.min(retryAfterSeconds, 30) * 1000;
  return Math.random() * 250 * 2 ** attempt;
}
