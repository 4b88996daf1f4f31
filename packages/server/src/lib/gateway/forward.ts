import type { Clock } from '../clock.ts';
import type { ModelError } from '../models/model.ts';
import { Watchdog } from '../models/openai/watchdog.ts';

/** A request to an upstream API. */
export interface UpstreamRequest {
  readonly url: string;
  /** All headers, including the credential. Nothing of the caller's request is added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ForwardOptions {
  readonly clock: Clock;
  /** Aborted when the caller disconnects; the upstream request is aborted then. */
  readonly signal: AbortSignal;
  /** Milliseconds until the response starts. */
  readonly firstByteTimeout: number;
  /** Milliseconds between two reads that return data. */
  readonly idleTimeout: number;
  /** Maximum bytes of the response. */
  readonly maximumBytes: number;
}

/** A response of which the head has arrived. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Headers;
  /**
   * The body, chunk by chunk as it arrives. Must be iterated or closed, so that the connection is
   * released.
   *
   * @throws UpstreamFailure
   */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** Ends the request, if its body is not needed. */
  close(): void;
}

/** The upstream did not respond, or its response did not end properly. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly kind: 'aborted' | 'timeout' | 'network' | 'too_large';

  constructor(kind: UpstreamFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/**
 * Sends a request to an upstream. Redirects are not followed, because they would carry the
 * credential to another address.
 *
 * @throws UpstreamFailure
 */
export async function forward(
  request: UpstreamRequest,
  options: ForwardOptions,
): Promise<UpstreamResponse> {
  const { clock, signal, firstByteTimeout } = options;
  const watchdog = new Watchdog(clock, signal);
  try {
    watchdog.arm(firstByteTimeout, `no response within ${firstByteTimeout} ms`);
    const response = await fetch(request.url, {
      method: 'POST',
      headers: request.headers,
      body: request.body,
      redirect: 'manual',
      signal: watchdog.signal,
    });
    watchdog.disarm();
    return {
      status: response.status,
      headers: response.headers,
      chunks: readChunks(response, watchdog, options),
      close: () => watchdog.stop(),
    };
  } catch (error) {
    watchdog.stop();
    throw toFailure(error, watchdog.reason, signal);
  }
}

async function* readChunks(
  { body }: Response,
  watchdog: Watchdog,
  { idleTimeout, maximumBytes, signal }: ForwardOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  let size = 0;
  try {
    while (reader) {
      // The timer stops while the caller reads slowly.
      watchdog.arm(idleTimeout, `no data for ${idleTimeout} ms`);
      const { done, value } = await reader.read();
      watchdog.disarm();
      if (done) return;
      size += value.byteLength;
      if (size > maximumBytes) {
        throw new UpstreamFailure('too_large', `the response has more than ${maximumBytes} bytes`);
      }
      yield value;
    }
  } catch (error) {
    throw toFailure(error, watchdog.reason, signal);
  } finally {
    watchdog.stop();
  }
}

/** Reads the rest of a body as text. */
export async function readText(response: UpstreamResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.chunks) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function toFailure(
  error: unknown,
  reason: ModelError | null,
  signal: AbortSignal,
): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  if (reason) return new UpstreamFailure('timeout', reason.message);
  if (signal.aborted) return new UpstreamFailure('aborted', 'the caller disconnected');
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return new UpstreamFailure('network', cause instanceof Error ? cause.message : String(cause));
}
