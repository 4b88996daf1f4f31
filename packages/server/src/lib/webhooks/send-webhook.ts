import { Webhook } from 'standardwebhooks';
import { addressAttributes, names } from '../telemetry/attributes.ts';
import { withSpan } from '../telemetry/traces.ts';
import { forward, UpstreamFailure, type UpstreamResponse } from '../upstreams/forward.ts';
import { AddressError, resolvePublicHost } from './public-address.ts';
import type { WebhookServices } from './webhook-endpoints.ts';

/** Milliseconds for an attempt, from the lookup of the host to the end of the response. */
const timeout = 15_000;
/** Maximum bytes of a response. A longer one is not that of a receiver. */
const maximumBytes = 65_536;
/** Bytes of the response that are kept. */
const keptBytes = 4_096;

export interface WebhookAttempt {
  readonly url: string;
  /** The `webhook-id`. */
  readonly id: string;
  /** The current secret, and the previous one while it is valid. */
  readonly secrets: readonly string[];
  readonly body: string;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
}

/** The outcome of an attempt. */
export interface WebhookOutcome {
  /** Null after a success. */
  readonly error: string | null;
  readonly response: { readonly status: number; readonly body: string } | null;
  /** Milliseconds for which the receiver asks to wait; null if it does not. */
  readonly retryAfter: number | null;
}

/**
 * Sends an event, signed as Standard Webhooks demands. Redirects are not followed. An attempt succeeds if
 * the whole response arrives in time, has a status from 200 to 299, and is no HTML page.
 *
 * @throws If `signal` is aborted.
 */
export function sendWebhook(
  services: Pick<WebhookServices, 'clock' | 'config' | 'lookupHost'>,
  attempt: WebhookAttempt,
): Promise<WebhookOutcome> {
  const attributes = { [names.httpMethod]: 'POST', ...addressAttributes(new URL(attempt.url)) };
  return withSpan('POST', { kind: 'client', attributes }, async (span) => {
    const outcome = await send(services, attempt);
    const status = outcome.response?.status;
    if (status !== undefined) span?.set({ [names.httpStatus]: status });
    if (outcome.error !== null) span?.fail(String(status ?? '_OTHER'));
    return outcome;
  });
}

async function send(
  services: Pick<WebhookServices, 'clock' | 'config' | 'lookupHost'>,
  { url, id, secrets, body, signal }: WebhookAttempt,
): Promise<WebhookOutcome> {
  const { clock, config, lookupHost } = services;
  const now = new Date(clock.now());
  const isLate = new AbortController();
  const cancel = clock.after(timeout, () => isLate.abort());
  const ended = AbortSignal.any([signal, isLate.signal]);
  let response: UpstreamResponse | undefined;
  const chunks: Uint8Array[] = [];
  const failed = (error: string): WebhookOutcome => ({
    error,
    response: response ? { status: response.status, body: startOf(chunks) } : null,
    retryAfter: response ? retryAfterOf(response.headers, now.getTime()) : null,
  });
  try {
    const addresses = await unlessAborted(
      resolvePublicHost(new URL(url), config.webhooks.allowed_private_hosts, lookupHost),
      ended,
    );
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Inlay-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': secrets
        .map((secret) => new Webhook(secret).sign(id, now, body))
        .join(' '),
    };
    response = await forward(
      { url, headers, body, addresses },
      { clock, signal: ended, maximumBytes },
    );
    for await (const chunk of response.chunks) chunks.push(chunk);
    const { status } = response;
    if (status < 200 || status > 299) return failed(`the response has the status ${status}`);
    const isHtml = /^text\/html\b/i.test(response.headers.get('content-type') ?? '');
    // PHP declares every response as HTML, also an empty one.
    if (isHtml && /^\s*</.test(startOf(chunks))) return failed('the response is an HTML page');
    return { error: null, response: { status, body: startOf(chunks) }, retryAfter: null };
  } catch (error) {
    signal.throwIfAborted();
    if (isLate.signal.aborted)
      return failed(`no complete response within ${timeout / 1000} seconds`);
    if (error instanceof AddressError) return failed(`the URL ${error.message}`);
    if (error instanceof UpstreamFailure) return failed(error.message);
    throw error;
  } finally {
    cancel();
    response?.close();
  }
}

/** Resolves like `promise`, or rejects when the signal is aborted. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function startOf(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8');
}

/** Reads `Retry-After`: seconds, or a date. */
function retryAfterOf(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return wait > 0 ? wait : null;
}
