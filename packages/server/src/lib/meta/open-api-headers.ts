import { type RouteDescription, requestHeaders } from '../http/route.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Of rate limits: on every answer of what is limited (service reference, section 8.2). */
const ofLimits = {
  'x-ratelimit-limit-requests': ['Requests that may be made in a second.', count],
  'x-ratelimit-remaining-requests': ['Requests that are left in this second.', count],
  'x-ratelimit-reset-requests': [
    'Time until the limit counts anew: `850ms` under a second, `1s` from there on.',
    { type: 'string', pattern: '^\\d+(ms|s)$' },
  ],
  'RateLimit-Limit': ['The same as `x-ratelimit-limit-requests`.', count],
  'RateLimit-Remaining': ['The same as `x-ratelimit-remaining-requests`.', count],
  'RateLimit-Reset': ['Whole seconds until the limit counts anew.', count],
} as const;

const ofRequests = {
  'X-Request-Id': ['Names this request in the log. Quote it when you report a problem.', text],
} as const;

/** On every refusal (service reference, section 7.3). */
const ofProblems = {
  'x-service-problem-code': ['The `code` of the body.', text],
  'x-service-problem-kind': ['Category of the problem.', text],
  'x-service-problem-origin': [
    'Who can put it right.',
    { type: 'string', examples: ['user', 'platform', 'upstream_provider'] },
  ],
  'x-service-problem-retryable': [
    'Whether the same request may succeed later.',
    { type: 'string', enum: ['true', 'false'] },
  ],
  'x-service-recovery-action': ['What to do.', text],
} as const;

const ofTooMany = {
  'x-service-problem-scope': [
    'Which layer refused.',
    { type: 'string', enum: ['platform', 'model'] },
  ],
} as const;

const ofWaiting = {
  'Retry-After': ['Whole seconds to wait before the next attempt.', count],
} as const;

const ofChallenges = {
  'WWW-Authenticate': [
    '`Bearer`, with `error="invalid_token"` for a credential that is no good.',
    text,
  ],
} as const;

const always = { ...ofRequests, ...ofProblems };
const sometimes = { ...ofLimits, ...ofTooMany, ...ofWaiting, ...ofChallenges };
type HeaderName = keyof typeof always | keyof typeof sometimes;

/** Every header of an answer, for the document's components. */
export const headerComponents = {
  ...components(always, true),
  ...components(sometimes, false),
};

/** Headers of an answer that was given as asked. */
export function answerHeaders({ limited }: RouteDescription): Record<string, object> {
  return refer([...keysOf(ofRequests), ...(limited === false ? [] : keysOf(ofLimits))]);
}

/** Headers of a refusal with a status. */
export function problemHeaders(status: number): Record<string, object> {
  return refer([
    ...keysOf(ofRequests),
    ...keysOf(ofProblems),
    ...keysOf(ofLimits),
    ...(status === 401 ? keysOf(ofChallenges) : []),
    ...(status === 429 ? [...keysOf(ofTooMany), ...keysOf(ofWaiting)] : []),
    ...(status === 503 ? keysOf(ofWaiting) : []),
  ]);
}

/** Request headers that mean something to a route. */
export function headerParameters({ headers = [] }: RouteDescription): object[] {
  return headers.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

export const headerParameterComponents = Object.fromEntries(
  Object.entries(requestHeaders).map(([name, { description, ...schema }]) => [
    name,
    { name, in: 'header', required: false, description, schema: { type: 'string', ...schema } },
  ]),
);

type Table = Record<string, readonly [description: string, schema: object]>;

function components(table: Table, required: boolean): Record<string, object> {
  return Object.fromEntries(
    Object.entries(table).map(([name, [description, schema]]) => [
      name,
      { description, required, schema },
    ]),
  );
}

function refer(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function keysOf<Known extends object>(table: Known): (keyof Known)[] {
  return Object.keys(table) as (keyof Known)[];
}
