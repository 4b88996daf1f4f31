import type { ProblemCode } from '@inlay/protocol';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../http/env.ts';
import { bodyPieces, hasBody } from '../http/read-body.ts';
import { streamBody } from '../http/stream-body.ts';
import { parseJson } from '../json.ts';
import { attemptErrorOf, readError, redact, throttled } from '../model-api/upstream-errors.ts';
import { ApiError } from '../problems/api-error.ts';
import { problemHeaders } from '../problems/problem-response.ts';
import type { Services } from '../services.ts';
import type { Family } from './families.ts';
import { readErrorBody, readText, type UpstreamResponse } from './forward.ts';
import { addressHeaders, requestHeaders, responseHeaders } from './forwarded-headers.ts';
import { requireUpstream, sendToUpstream, type Upstream, unusable } from './upstream.ts';
import { platformAddress, upstreamAddress } from './upstream-address.ts';

export interface PassThroughOptions {
  /**
   * A body that was already read, and may have been changed.
   *
   * @default the body of the caller, as it arrives
   */
  readonly sent?: Uint8Array | undefined;
  /**
   * The `Content-Type` of `sent`.
   *
   * @default that of the caller
   */
  readonly contentType?: string | undefined;
  /**
   * Whether a response with this status is relayed. Other responses are discarded: the caller gets the
   * error `RATE_LIMITED` for a 429, and otherwise `provider_unavailable`.
   *
   * @default all
   */
  readonly relays?: (status: number) => boolean;
  /**
   * Whether a JSON response is read completely, and refused with `UPSTREAM_ERROR` if it is not valid.
   *
   * @default false
   */
  readonly checksJson?: boolean;
}

/**
 * Forwards a request to the upstream of its family, and streams the response back. Method, path,
 * query, body and headers are not changed, except for credentials, cookies and hop-by-hop headers
 * (docs/conformance.md, 1.2 and 9.2).
 *
 * @throws ApiError Only before anything is sent to the caller. `not_implemented` without an upstream.
 */
export async function passThrough(
  c: Context<AppEnv>,
  services: Services,
  family: Family,
  { sent, contentType, relays = () => true, checksJson = false }: PassThroughOptions = {},
): Promise<Response> {
  const upstream = requireUpstream(services, family);
  const { key, settings } = upstream;
  const base = settings.base_url.replace(/\/+$/, '');
  const url = upstreamAddress({ family, base }, new URL(c.req.url));
  const maximumBytes = checksJson ? services.config.limits.request.model_response_bytes : undefined;
  const response = await send(c, services, { upstream, url, sent, contentType, maximumBytes });
  const { status } = response;
  if (!relays(status)) throw await failureOf(services, upstream, response);
  const headers = responseHeaders(response.headers);
  for (const [name, value] of Object.entries(headers))
    headers[name] = key === '' ? value : value.replaceAll(key, '***');
  for (const name of addressHeaders) {
    if (!headers[name]) continue;
    const address = platformAddress({ family, base }, headers[name], services.baseUrl);
    if (address === null) delete headers[name];
    else headers[name] = address;
  }
  if (status >= 400) {
    services.log.warn('upstream responded with an error', { family: family.name, status });
    return relayError(c, response, { headers, key });
  }
  if (c.req.raw.method === 'HEAD' || status === 204 || status === 304) {
    response.close();
    return c.body(null, status as ContentfulStatusCode, headers);
  }
  if (checksJson && /^application\/json\b/i.test(headers['content-type'] ?? '')) {
    const text = await readText(response).catch(() => '');
    if (parseJson(text) === undefined) throw unusable();
    const { 'content-length': _, ...rest } = headers;
    return c.body(redact(text, key), status as ContentfulStatusCode, rest);
  }
  return streamBody(c, services.log, {
    status,
    chunks: redactChunks(response.chunks, key),
    headers,
  });
}

interface Outgoing extends Pick<PassThroughOptions, 'sent' | 'contentType'> {
  readonly upstream: Upstream;
  readonly url: string;
  readonly maximumBytes: number | undefined;
}

async function send(
  c: Context<AppEnv>,
  services: Services,
  { upstream, url, sent, contentType, maximumBytes }: Outgoing,
): Promise<UpstreamResponse> {
  const { clock, config } = services;
  const request = c.req.raw;
  const { forwarded_bytes: limit, upload_idle_seconds: idleSeconds } = config.limits.request;
  let bodyError: unknown;
  async function* readPieces() {
    try {
      yield* bodyPieces(c, { limit, clock, idleSeconds });
    } catch (error) {
      bodyError = error;
      throw error;
    }
  }
  const headers: Record<string, string> = {
    ...requestHeaders(request.headers, upstream.family, upstream.key),
    ...(contentType !== undefined && { 'content-type': contentType }),
  };
  // `content-length` is kept only if the caller's body is forwarded. The body of a GET is not.
  const isRead = !sent && !['GET', 'HEAD'].includes(request.method) && hasBody(request);
  const pieces = isRead ? readPieces() : null;
  if (!pieces) delete headers['content-length'];
  try {
    const sending = { url, method: request.method, headers, body: sent ?? pieces };
    return await sendToUpstream(services, upstream, sending, {
      signal: request.signal,
      ...(maximumBytes !== undefined && { maximumBytes }),
    });
  } catch (error) {
    throw bodyError instanceof ApiError ? bodyError : error;
  }
}

/** Problem codes for the statuses of upstreams (docs/conformance.md, 7.1). */
const codesByStatus: Readonly<Record<number, ProblemCode>> = {
  402: 'INSUFFICIENT_BALANCE',
  // The account of the platform lacks a permission.
  403: 'UPSTREAM_ERROR',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'RATE_LIMITED',
  501: 'not_implemented',
  503: 'SERVICE_UNAVAILABLE',
  504: 'UPSTREAM_TIMEOUT',
};

/**
 * Returns the problem for an error response that is not relayed, because the caller did not cause it.
 */
export async function failureOf(
  { log }: Pick<Services, 'log'>,
  { family, key }: Upstream,
  response: UpstreamResponse,
): Promise<ApiError> {
  const { status } = response;
  log.warn('upstream responded with an error', { family: family.name, status });
  const error = readError(status, response.headers, await readErrorBody(response), key);
  if (attemptErrorOf(error) === 'throttled') return throttled(error.retryAfter);
  return new ApiError('provider_unavailable', `The upstream responded with status ${status}.`);
}

/**
 * Returns an error of the upstream with its status and body, and with the headers that every error has
 * (docs/conformance.md, 7.3).
 *
 * @throws ApiError If the body is not JSON: the caller gets an error body of the family.
 *   `provider_unavailable` for a 401 or 407, which concerns the credential of the platform.
 */
export async function relayError(
  c: Context<AppEnv>,
  response: UpstreamResponse,
  { headers, key }: { headers: Record<string, string>; key: string },
): Promise<Response> {
  const { status } = response;
  if (status === 401 || status === 407) {
    response.close();
    // A 401 would mean that the key of the caller is invalid.
    const detail = 'The upstream refuses the credential of the platform.';
    throw new ApiError('provider_unavailable', detail, { origin: 'platform' });
  }
  const code = codesByStatus[status] ?? (status < 500 ? 'VALIDATION_ERROR' : 'UPSTREAM_ERROR');
  const origin = 'upstream_provider';
  const scope = 'model';
  const text = await readErrorBody(response);
  if (parseJson(text) === undefined) {
    const retryAfter = Number(headers['retry-after']);
    throw new ApiError(code, `The upstream responded with status ${status}.`, {
      origin,
      scope,
      ...(retryAfter > 0 && { retryAfter }),
    });
  }
  const { 'content-length': _, ...rest } = headers;
  return c.body(redact(text, key), status as ContentfulStatusCode, {
    ...rest,
    'cache-control': 'no-store',
    ...problemHeaders(code, { origin, scope }),
  });
}

/**
 * Replaces a credential in a body by `*` of the same length, so that `Content-Length` stays correct. Of
 * each chunk, only the bytes that may be the start of a credential wait for the next chunk.
 *
 * @param secret Empty for an upstream without keys.
 */
function redactChunks(
  chunks: AsyncIterable<Uint8Array>,
  secret: string,
): AsyncIterable<Uint8Array> {
  return secret === '' ? chunks : withoutSecret(chunks, Buffer.from(secret));
}

async function* withoutSecret(
  chunks: AsyncIterable<Uint8Array>,
  wanted: Buffer,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stars = Buffer.alloc(wanted.byteLength, '*');
  let pending = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([pending, chunk]);
    for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at))
      stars.copy(bytes, at);
    const end = bytes.byteLength - lengthOfStart(bytes, wanted);
    pending = bytes.subarray(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (pending.byteLength > 0) yield pending;
}

/** Returns the length of the longest end of `bytes` that is a start of `wanted`. */
function lengthOfStart(bytes: Buffer, wanted: Buffer): number {
  const tail = bytes.subarray(Math.max(0, bytes.byteLength - wanted.byteLength + 1));
  // Most ends do not contain the first byte of the credential.
  const [first = 0] = wanted;
  let at = tail.indexOf(first);
  while (at >= 0 && !tail.subarray(at).equals(wanted.subarray(0, tail.byteLength - at)))
    at = tail.indexOf(first, at + 1);
  return at < 0 ? 0 : tail.byteLength - at;
}
