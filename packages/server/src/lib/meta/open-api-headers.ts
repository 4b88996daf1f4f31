import { type RouteDescription, requestHeaders } from '../http/route.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Rate limit headers, in all responses of limited routes (docs/conformance.md, 8.2). */
const rateLimitHeaders = {
  'x-ratelimit-limit-requests': ['Requests allowed per second.', count],
  'x-ratelimit-remaining-requests': ['Requests left in this second.', count],
  'x-ratelimit-reset-requests': [
    'Time until the limit resets: in milliseconds below one second (`850ms`), otherwise in seconds (`1s`).',
    { type: 'string', pattern: '^\\d+(ms|s)$' },
  ],
  'RateLimit-Limit': ['The same as `x-ratelimit-limit-requests`.', count],
  'RateLimit-Remaining': ['The same as `x-ratelimit-remaining-requests`.', count],
  'RateLimit-Reset': ['Whole seconds until the limit resets.', count],
} as const;

const requestIdHeaders = {
  'X-Request-Id': ['Identifies this request in the log. Quote it when you report a problem.', text],
} as const;

/** Headers of all errors (docs/conformance.md, 7.3). */
const errorHeaders = {
  'x-service-problem-code': ['The `code` of the body.', text],
  'x-service-problem-kind': ['Category of the problem.', text],
  'x-service-problem-origin': [
    'Who can fix it.',
    { type: 'string', examples: ['user', 'platform', 'upstream_provider'] },
  ],
  'x-service-problem-retryable': [
    'Whether the same request may succeed later.',
    { type: 'string', enum: ['true', 'false'] },
  ],
  'x-service-recovery-action': ['What to do.', text],
} as const;

const scopeHeaders = {
  'x-service-problem-scope': [
    'Which layer refused.',
    { type: 'string', enum: ['platform', 'model'] },
  ],
} as const;

const retryHeaders = {
  'Retry-After': ['Whole seconds to wait before the next attempt.', count],
} as const;

const challengeHeaders = {
  'WWW-Authenticate': ['`Bearer`, with `error="invalid_token"` for an invalid credential.', text],
} as const;

const requiredHeaders = { ...requestIdHeaders, ...errorHeaders };
const optionalHeaders = {
  ...rateLimitHeaders,
  ...scopeHeaders,
  ...retryHeaders,
  ...challengeHeaders,
};
type HeaderName = keyof typeof requiredHeaders | keyof typeof optionalHeaders;

/** All response headers, for `components` of the document. */
export const headerComponents = {
  ...components(requiredHeaders, true),
  ...components(optionalHeaders, false),
};

/** Headers of a successful response. */
export function responseHeaders(): Record<string, object> {
  return toReferences([...keysOf(requestIdHeaders), ...keysOf(rateLimitHeaders)]);
}

/** Headers of an error with this status. */
export function problemHeaders(status: number): Record<string, object> {
  return toReferences([
    ...keysOf(requestIdHeaders),
    ...keysOf(errorHeaders),
    ...keysOf(rateLimitHeaders),
    ...(status === 401 ? keysOf(challengeHeaders) : []),
    ...(status === 429 ? [...keysOf(scopeHeaders), ...keysOf(retryHeaders)] : []),
    ...(status === 503 ? keysOf(retryHeaders) : []),
  ]);
}

/** Request headers of a route. */
export function headerParameters({ headers = [] }: RouteDescription): object[] {
  return headers.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** All request headers, for `components` of the document. */
export const headerParameterComponents = Object.fromEntries(
  Object.entries(requestHeaders).map(([name, { description, ...schema }]) => [
    name,
    { name, in: 'header', required: false, description, schema: { type: 'string', ...schema } },
  ]),
);

type HeaderTable = Record<string, readonly [description: string, schema: object]>;

function components(table: HeaderTable, required: boolean): Record<string, object> {
  return Object.fromEntries(
    Object.entries(table).map(([name, [description, schema]]) => [
      name,
      { description, required, schema },
    ]),
  );
}

function toReferences(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function keysOf<Known extends object>(table: Known): (keyof Known)[] {
  return Object.keys(table) as (keyof Known)[];
}
