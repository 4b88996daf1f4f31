import type { Family } from './families.ts';

/** Hop-by-hop headers (RFC 9110, section 7.6.1). They concern one connection, and are not forwarded. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Request headers that are not forwarded: credentials, the account that pays at the upstream, the page
 * of the caller, and headers that this server sets itself.
 */
const droppedFromRequests = new Set([
  ...hopByHop,
  'accept-encoding',
  'api-key',
  'authorization',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'openai-organization',
  'openai-project',
  'origin',
  'referer',
  'x-api-key',
  'x-auth-token',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-goog-api-key',
  'x-goog-user-project',
  'x-real-ip',
  'x-upstream-api-key',
]);

/**
 * Response headers that are not forwarded: cookies, instructions for browsers, the platform's own
 * account at the upstream, and headers that this server sets itself.
 */
const droppedFromResponses = new Set([
  ...hopByHop,
  'alt-svc',
  'anthropic-organization-id',
  'openai-organization',
  'openai-project',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'request-id',
  'set-cookie',
  'strict-transport-security',
  'x-content-type-options',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-request-id',
]);

/** Response headers with a URL to which the client then sends its key. */
export const addressHeaders: readonly string[] = ['location', 'x-goog-upload-url'];

/**
 * Returns the headers of a request to an upstream: the headers of the caller, with the credential of
 * the platform in place of the caller's. The response is requested without compression, so that it
 * arrives unbuffered, and a credential that it quotes can be redacted.
 *
 * @param key Credential of the platform; empty for an upstream without keys.
 */
export function requestHeaders(
  headers: Headers,
  { keyHeader }: Pick<Family, 'keyHeader'>,
  key: string,
): Record<string, string> {
  return {
    ...filtered(headers, droppedFromRequests),
    'accept-encoding': 'identity',
    ...(key !== '' && { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${key}` : key }),
  };
}

/** Returns the headers of an upstream's response that are forwarded to the caller. */
export function responseHeaders(headers: Headers): Record<string, string> {
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  return {
    ...filtered(headers, droppedFromResponses),
    // Disables response buffering in nginx.
    ...(isStream && { 'x-accel-buffering': 'no' }),
  };
}

function filtered(headers: Headers, dropped: ReadonlySet<string>): Record<string, string> {
  const ofConnection = new Set(
    (headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase()),
  );
  return Object.fromEntries(
    [...headers].filter(
      ([name]) =>
        !dropped.has(name) &&
        !ofConnection.has(name) &&
        !name.startsWith('access-control-') &&
        !name.startsWith('x-service-'),
    ),
  );
}
