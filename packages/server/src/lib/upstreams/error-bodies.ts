import type { Problem } from '@inlay/protocol';
import { codesOfFamilies } from '../problems/platform-codes.ts';

/** A problem with which a request to a compatible prefix is refused. */
export interface Refusal {
  readonly problem: Problem;
  /** Replaces the code that the family has for the problem. */
  readonly familyCode?: string | undefined;
  readonly requestId: string;
}

/** Serializes a refusal as the family's official API does (docs/conformance.md, 7.2). */
export type ErrorBody = (refusal: Refusal) => object;

/** @see https://platform.openai.com/docs/guides/error-codes */
export const chatModelError: ErrorBody = ({ problem, familyCode }) => ({
  error: {
    message: problem.detail,
    type: chatModelType(problem),
    param: problem.param ?? paramOf(problem) ?? null,
    code: familyCode ?? codesOfFamilies[problem.code]?.[0] ?? problem.code.toLowerCase(),
  },
});

function chatModelType({ code, status }: Problem): string {
  if (code === 'RATE_LIMITED') return 'rate_limit_error';
  if (code === 'QUOTA_EXHAUSTED') return 'budget_error';
  if (code === 'INSUFFICIENT_BALANCE') return 'insufficient_quota';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

/** Returns the first invalid field, such as `messages[0].role`. */
function paramOf({ errors }: Problem): string | undefined {
  const parts = errors?.[0]?.pointer.split('/').slice(1) ?? [];
  // Removes the first segment of pointers outside the body, such as `/query/limit`, but not of members
  // of the body, such as the texts `/query/0` of a search.
  const isOutside = parts.length > 1 && !/^\d+$/.test(parts[1] ?? '');
  if (isOutside && (parts[0] === 'query' || parts[0] === 'headers')) parts.shift();
  const path = parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : `${text}.${part}`), '');
  return path.replace(/^\./, '') || undefined;
}

const messageModelTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  501: 'not_implemented',
  504: 'timeout_error',
};

/** @see https://docs.claude.com/en/api/errors */
export const messageModelError: ErrorBody = ({ problem, familyCode, requestId }) => ({
  type: 'error',
  error: {
    type:
      familyCode ??
      messageModelTypes[problem.status] ??
      (problem.status < 500 ? 'invalid_request_error' : 'api_error'),
    message: problem.detail,
  },
  request_id: requestId,
});

/** Names in `google.rpc.Code`, by HTTP status. */
const generativeModelStatuses: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** @see https://google.aip.dev/193 */
export const generativeModelError: ErrorBody = ({ problem, familyCode, requestId }) => ({
  error: {
    code: problem.status,
    message: problem.detail,
    status: generativeModelStatuses[problem.status] ?? 'INVALID_ARGUMENT',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: familyCode ?? problem.code,
        domain: new URL(problem.type).host,
      },
      // The errors that the official client throws have no headers, so the body has the request id.
      { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId },
    ],
  },
});

/** @see https://e2b.dev/docs/api-reference */
export const sandboxError: ErrorBody = ({ problem }) => ({
  code: problem.status,
  message: problem.detail,
});

/** @see https://docs.tavily.com/documentation/api-reference/endpoint/search */
export const webSearchError: ErrorBody = ({ problem }) => ({
  detail: { error: problem.detail },
});
