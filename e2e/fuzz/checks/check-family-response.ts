import type { FamilyName } from '../../../packages/server/src/lib/config/compatible.ts';
import type { Operation } from '../requests/document.ts';
import type { FuzzRequest } from '../requests/request.ts';
import type { FuzzResponse } from './send-request.ts';

/** Statuses over 500 that the API documents (docs/conformance.md, 7.1). */
const documentedStatuses = [501, 502, 503, 504];

/** Headers of every error response (docs/conformance.md, 7.3). */
const problemHeaders = [
  'x-service-problem-code',
  'x-service-problem-kind',
  'x-service-problem-origin',
  'x-service-problem-retryable',
  'x-service-recovery-action',
];

/** Texts in the problem details for malformed requests, which Node rejects before their path is known. */
const malformedRequestTexts = [
  'not a request in HTTP/1.1',
  'Address and headers together',
  'The address or the `Host` header',
];

type JsonObject = Readonly<Record<string, unknown>>;

/** Checks whether a body is the error body of a family (docs/conformance.md, 7.2). */
const isErrorBodyOf: Readonly<Record<FamilyName, (body: JsonObject, status: number) => boolean>> = {
  chat_model: ({ error }) =>
    hasStrings(error, 'message', 'type', 'code') &&
    (error.param === null || typeof error.param === 'string'),
  message_model: ({ type, error, request_id: id }) =>
    type === 'error' && typeof id === 'string' && hasStrings(error, 'type', 'message'),
  generative_model: ({ error }, status) =>
    hasStrings(error, 'message', 'status') && error.code === status,
  sandbox: (body, status) => hasStrings(body, 'message') && body.code === status,
  web_search: ({ detail }) => hasStrings(detail, 'error'),
};

/**
 * Checks a response under a compatible prefix. Only the bodies of errors are checked, because the
 * upstream sends those of successful responses.
 *
 * @returns The first error; null if there is none.
 */
export function checkFamilyResponse(
  { family, path }: Operation,
  request: FuzzRequest,
  { status, headers, body }: FuzzResponse,
): string | null {
  if (status >= 500 && !documentedStatuses.includes(status))
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
  const isOutsidePrefix = !request.target.startsWith(`/${path.split('/')[1]}/`);
  const isProblem = headers['content-type'] === 'application/problem+json';
  if (isProblem && (isOutsidePrefix || malformedRequestTexts.some((part) => body.includes(part))))
    return null;
  if (family && isJsonObject(value) && isErrorBodyOf[family](value, status)) return null;
  return `The body of the ${status} is no error of its family: ${body.slice(0, 300)}`;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

function hasStrings(value: unknown, ...names: string[]): value is JsonObject {
  return isJsonObject(value) && names.every((name) => typeof value[name] === 'string');
}
