import type { FamilyName } from '../../../packages/server/src/lib/config/compatible.ts';
import type { Operation } from '../requests/document.ts';
import type { FuzzRequest } from '../requests/request.ts';
import type { FuzzResponse } from './send-request.ts';

/** Statuses over 500 that the service reference documents (section 7.1). */
const documented = [501, 502, 503, 504];

/** Headers of every error response (service reference, section 7.3). */
const problemHeaders = [
  'x-service-problem-code',
  'x-service-problem-kind',
  'x-service-problem-origin',
  'x-service-problem-retryable',
  'x-service-recovery-action',
];

/** Parts of the problems for malformed requests, which Node refuses before their path is known. */
const refusalsByNode = [
  'not a request in HTTP/1.1',
  'Address and headers together',
  'The address or the `Host` header',
];

type Members = Readonly<Record<string, unknown>>;

/** Whether a value is the error body of a family (service reference, section 7.2). */
const isErrorOf: Readonly<Record<FamilyName, (body: Members, status: number) => boolean>> = {
  chat_model: ({ error }) =>
    hasTexts(error, 'message', 'type', 'code') &&
    (error.param === null || typeof error.param === 'string'),
  message_model: ({ type, error, request_id: id }) =>
    type === 'error' && typeof id === 'string' && hasTexts(error, 'type', 'message'),
  generative_model: ({ error }, status) =>
    hasTexts(error, 'message', 'status') && error.code === status,
  sandbox: (body, status) => hasTexts(body, 'message') && body.code === status,
  web_search: ({ detail }) => hasTexts(detail, 'error'),
};

/**
 * Checks a response under a compatible prefix. Successful responses are those of the upstream, so
 * that only errors are checked. Returns an error text, or null.
 */
export function checkFamilyResponse(
  { family, path }: Operation,
  request: FuzzRequest,
  { status, headers, body }: FuzzResponse,
): string | null {
  if (status >= 500 && !documented.includes(status))
    return `The status is ${status}: ${body.slice(0, 300)}`;
  if (headers['x-request-id'] === undefined) return `The ${status} has no X-Request-Id.`;
  if (status < 400) return null;
  const missing = problemHeaders.find((name) => headers[name] === undefined);
  if (missing) return `The ${status} has no ${missing}.`;
  if (status === 429 && headers['retry-after'] === undefined) return 'The 429 has no Retry-After.';
  if (request.method === 'HEAD') return null;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return `The body of the ${status} is not JSON: ${body.slice(0, 200)}`;
  }
  const isElsewhere = !request.target.startsWith(`/${path.split('/')[1]}/`);
  const isProblem = headers['content-type'] === 'application/problem+json';
  if (isProblem && (isElsewhere || refusalsByNode.some((part) => body.includes(part)))) return null;
  if (family && isMembers(value) && isErrorOf[family](value, status)) return null;
  return `The body of the ${status} is no error of its family: ${body.slice(0, 300)}`;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function hasTexts(value: unknown, ...names: string[]): value is Members {
  return isMembers(value) && names.every((name) => typeof value[name] === 'string');
}
