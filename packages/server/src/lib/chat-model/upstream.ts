import type { CompatibleUpstream } from '../config/compatible.ts';
import type { Family } from '../gateway/families.ts';
import { forward, UpstreamFailure, type UpstreamResponse } from '../gateway/forward.ts';
import { requestHeaders } from '../gateway/forwarded-headers.ts';
import { redact } from '../model-service/upstream-errors.ts';
import { ApiError } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';

/** The upstream of the family, with its credential. */
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
  /** Headers of the caller. Credentials, and those of the body, are replaced. */
  readonly headers: Headers;
  /** Sent as JSON, if it is an object. */
  readonly body: object | AsyncIterable<Uint8Array> | null;
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
 * Sends a request to the upstream of the family.
 *
 * @throws ApiError If the upstream does not respond.
 */
export async function callUpstream(
  { clock, log }: Pick<ServiceOptions, 'clock' | 'log'>,
  { family, settings, key }: Upstream,
  { method = 'POST', path, headers: sent, body, signal, maximumBytes }: UpstreamCall,
): Promise<UpstreamResponse> {
  const isJson = body !== null && !(Symbol.asyncIterator in body);
  const {
    'content-length': _,
    'content-type': type,
    ...headers
  } = requestHeaders(sent, family, key);
  const contentType = isJson ? 'application/json' : type;
  try {
    return await forward(
      {
        url: settings.base_url.replace(/\/+$/, '') + path,
        method,
        headers: { ...headers, ...(body && contentType && { 'content-type': contentType }) },
        body: isJson ? JSON.stringify(body) : body,
      },
      {
        clock,
        signal,
        firstByteTimeout: settings.first_byte_timeout_ms,
        idleTimeout: settings.idle_timeout_ms,
        maximumBytes: maximumBytes ?? Number.POSITIVE_INFINITY,
      },
    );
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

/** The error of an upstream whose response cannot be used. */
export function unusable(): ApiError {
  return new ApiError('UPSTREAM_ERROR', 'The upstream returned an invalid response.');
}
