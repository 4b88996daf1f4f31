import type { CompatibleUpstream } from '../config/compatible.ts';
import { stringifyExact } from '../exact-json.ts';
import { isObject, parseJson } from '../json.ts';
import { redact } from '../model-api/upstream-errors.ts';
import { ApiError } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { Family } from './families.ts';
import {
  forward,
  readText,
  UpstreamFailure,
  type UpstreamRequest,
  type UpstreamResponse,
} from './forward.ts';
import { requestHeaders } from './forwarded-headers.ts';

/** The upstream of a family, with the credential of the platform. */
export interface Upstream {
  readonly family: Family;
  readonly settings: CompatibleUpstream;
  /** Empty for an upstream without keys. */
  readonly key: string;
}

interface UpstreamCall {
  /** @default 'POST' */
  readonly method?: string;
  /** Path after the version, with the query. */
  readonly path: string;
  /** Headers of the caller. Credentials and the headers that describe the body are replaced. */
  readonly headers: Headers;
  /** Sent as JSON, unless it is iterable. It may be a value of `parseExact`. */
  readonly body: object | AsyncIterable<Uint8Array> | null;
  /**
   * The `Content-Type` of an iterable body.
   *
   * @default that of the caller
   */
  readonly contentType?: string | undefined;
  readonly signal: AbortSignal;
  /** @default no limit */
  readonly maximumBytes?: number;
}

/**
 * Returns the upstream of a family.
 *
 * @throws ApiError `not_implemented` if none is configured.
 */
export function requireUpstream(
  services: Pick<ServiceOptions, 'secret'>,
  family: Family,
): Upstream {
  const { upstream: settings } = family;
  if (!settings) {
    throw new ApiError(
      'not_implemented',
      `This platform has no upstream for \`${family.prefix}\`: \`compatible.${family.name}.upstream\` is not configured.`,
    );
  }
  const key = (settings.api_key_env && services.secret(settings.api_key_env)) || '';
  return { family, settings, key };
}

/**
 * Sends a request to a path of the upstream.
 *
 * @throws ApiError If the upstream does not respond.
 */
export function callUpstream(
  services: Pick<ServiceOptions, 'clock' | 'log'>,
  upstream: Upstream,
  { method = 'POST', path, headers: callerHeaders, body, contentType, ...options }: UpstreamCall,
): Promise<UpstreamResponse> {
  const { family, settings, key } = upstream;
  const isJson = body !== null && !(Symbol.asyncIterator in body);
  const {
    'content-length': _,
    'content-type': type,
    ...headers
  } = requestHeaders(callerHeaders, family, key);
  const sentType = isJson ? 'application/json' : (contentType ?? type);
  const request = {
    url: settings.base_url.replace(/\/+$/, '') + path,
    method,
    headers: { ...headers, ...(body && sentType && { 'content-type': sentType }) },
    body: isJson ? stringifyExact(body) : body,
  };
  return sendToUpstream(services, upstream, request, options);
}

/**
 * Sends a request to the upstream. Adds no headers, except `traceparent` of the active span.
 *
 * @param options.maximumBytes Limit of the response; none by default.
 * @throws ApiError If the upstream does not respond.
 */
export async function sendToUpstream(
  { clock, log }: Pick<ServiceOptions, 'clock' | 'log'>,
  { family, settings, key }: Upstream,
  request: UpstreamRequest,
  options: Pick<UpstreamCall, 'signal' | 'maximumBytes'>,
): Promise<UpstreamResponse> {
  try {
    return await forward(request, {
      clock,
      signal: options.signal,
      firstByteTimeout: settings.first_byte_timeout_ms,
      idleTimeout: settings.idle_timeout_ms,
      maximumBytes: options.maximumBytes ?? Number.POSITIVE_INFINITY,
    });
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    if (error.kind === 'aborted') {
      throw new ApiError('REQUEST_TIMEOUT', 'The caller disconnected before the response.');
    }
    log.warn('upstream failed', { family: family.name, error: redact(error.message, key) });
    if (error.kind === 'timeout') throw new ApiError('UPSTREAM_TIMEOUT');
    throw new ApiError('provider_unavailable', 'The upstream does not respond. Retry later.');
  }
}

/**
 * Reads a JSON object.
 *
 * @throws ApiError `UPSTREAM_ERROR` for any other body.
 */
export async function readJsonObject(response: UpstreamResponse): Promise<Record<string, unknown>> {
  // A truncated response causes the same error as invalid JSON.
  const body = parseJson(await readText(response).catch(() => ''));
  if (!isObject(body)) throw unusable();
  return body;
}

/** The error of an upstream whose response cannot be used. */
export function unusable(): ApiError {
  return new ApiError('UPSTREAM_ERROR', 'The upstream returned an invalid response.');
}
