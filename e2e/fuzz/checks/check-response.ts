import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Operation, ResponseDescription } from '../requests/document.ts';
import type { FuzzRequest } from '../requests/request.ts';
import type { FuzzResponse } from './send-request.ts';

/** Statuses that every URL can return for requests that do not match an operation. */
const genericStatuses = [400, 404, 405, 408, 413, 414, 431];

/** Creates a function that checks a response against the API description, and returns the first error or null. */
export function createResponseCheck() {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  return function check(
    operation: Operation,
    request: FuzzRequest,
    response: FuzzResponse,
  ): string | null {
    const { status, headers } = response;
    // A route declares 501 for features that the platform does not have.
    const isUnsupported = status === 501 && operation.responses['501'] !== undefined;
    if (status >= 500 && !isUnsupported)
      return `The status is ${status}: ${response.body.slice(0, 300)}`;
    if (headers['x-request-id'] === undefined) return `The ${status} has no X-Request-Id.`;
    const declared = operation.responses[String(status)];
    const isCall = request.method === operation.method && declared !== undefined;
    if (status >= 400) {
      const refusal =
        declared ?? (genericStatuses.includes(status) ? operation.responses['4XX'] : null);
      if (!refusal) return `${status} is not declared: ${response.body.slice(0, 300)}`;
      return checkProblem(request, response, refusal);
    }
    if (request.method === 'HEAD' || request.method === 'OPTIONS') return null;
    if (!isCall) {
      // The response to another method or path is declared by another operation.
      return request.method === operation.method ? `${status} is not declared.` : null;
    }
    return missingHeader(response, declared) ?? checkBody(response, declared);
  };

  function checkProblem(
    request: FuzzRequest,
    response: FuzzResponse,
    declared: ResponseDescription,
  ): string | null {
    const missing = missingHeader(response, declared);
    if (missing) return missing;
    if (request.method === 'HEAD') return null;
    const bodyError = checkBody(response, declared);
    if (bodyError) return bodyError;
    const problem = JSON.parse(response.body) as {
      status: number;
      code: string;
      retryable: boolean;
    };
    if (problem.status !== response.status) return `The status in the body is ${problem.status}.`;
    if (problem.code !== response.headers['x-service-problem-code']) {
      return 'The problem codes of header and body differ.';
    }
    if (String(problem.retryable) !== response.headers['x-service-problem-retryable']) {
      return 'The retryable flags of header and body differ.';
    }
    if (
      response.status === 429 &&
      response.headers['retry-after'] === undefined &&
      problem.retryable
    ) {
      return 'The 429 has no Retry-After.';
    }
    return null;
  }

  function missingHeader(
    response: FuzzResponse,
    { headers = {} }: ResponseDescription,
  ): string | null {
    const [missing] =
      Object.entries(headers).find(
        ([name, { required }]) => required && response.headers[name.toLowerCase()] === undefined,
      ) ?? [];
    return missing ? `The ${response.status} has no ${missing}.` : null;
  }

  function checkBody(response: FuzzResponse, { content = {} }: ResponseDescription): string | null {
    const type = response.headers['content-type']?.split(';')[0] ?? '';
    if (Object.keys(content).length === 0) {
      return response.body === ''
        ? null
        : `The ${response.status} has a body, but none is declared.`;
    }
    const schema = content[type]?.schema ?? (isImageFile(type, content) ? {} : null);
    if (!schema) return `The ${response.status} has the undeclared content type "${type}".`;
    if (!type.endsWith('json')) return null;
    let body: unknown;
    try {
      body = JSON.parse(response.body);
    } catch {
      return `The body of the ${response.status} is not JSON: ${response.body.slice(0, 200)}`;
    }
    // Compiled once: Ajv remembers the schemas.
    const validate = ajv.compile(schema);
    if (validate(body)) return null;
    return `The body of the ${response.status} does not match its schema: ${ajv.errorsText(validate.errors)}`;
  }
}

/** Whether a file is sent as an image, with its own content type instead of the declared one. */
function isImageFile(type: string, content: object): boolean {
  return 'application/octet-stream' in content && type.startsWith('image/');
}
