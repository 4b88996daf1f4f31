import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiDocument, Operation, ResponseDescription } from '../requests/document.ts';
import type { FuzzRequest } from '../requests/request.ts';
import type { Answer } from './answer.ts';

/** What every address may answer to what is no call of an operation at all. */
const anywhere = [400, 404, 405, 408, 413, 414, 431];

/** Makes the check of answers against the API description: what is wrong with one, or null. */
export function createAnswerCheck(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', ...document });
  const compiled = new Map<object, ValidateFunction>();

  return function check(operation: Operation, request: FuzzRequest, answer: Answer): string | null {
    const { status, headers } = answer;
    if (status >= 500) return `It answers ${status}: ${answer.body.slice(0, 300)}`;
    if (headers['x-request-id'] === undefined) return `The ${status} has no X-Request-Id.`;
    const declared = operation.responses[String(status)];
    const isCall = request.method === operation.method && declared !== undefined;
    if (status >= 400) {
      const refusal = declared ?? (anywhere.includes(status) ? operation.responses['4XX'] : null);
      if (!refusal) return `${status} is not declared: ${answer.body.slice(0, 300)}`;
      return checkProblem(request, answer, refusal);
    }
    if (request.method === 'HEAD' || request.method === 'OPTIONS') return null;
    if (!isCall) {
      // Another method of the same path, or another path: it has a declaration of its own.
      return request.method === operation.method ? `${status} is not declared.` : null;
    }
    return missingHeader(answer, declared) ?? checkBody(answer, declared);
  };

  function checkProblem(
    request: FuzzRequest,
    answer: Answer,
    declared: ResponseDescription,
  ): string | null {
    const missing = missingHeader(answer, declared);
    if (missing) return missing;
    if (request.method === 'HEAD') return null;
    const wrong = checkBody(answer, declared);
    if (wrong) return wrong;
    const problem = JSON.parse(answer.body) as { status: number; code: string; retryable: boolean };
    if (problem.status !== answer.status) return `The body says ${problem.status}.`;
    if (problem.code !== answer.headers['x-service-problem-code']) {
      return 'The code of the header is not the code of the body.';
    }
    if (String(problem.retryable) !== answer.headers['x-service-problem-retryable']) {
      return 'The header says something else of retrying than the body.';
    }
    if (answer.status === 429 && answer.headers['retry-after'] === undefined && problem.retryable) {
      return 'The 429 has no Retry-After.';
    }
    return null;
  }

  function missingHeader(answer: Answer, { headers = {} }: ResponseDescription): string | null {
    const missing = Object.keys(headers).find(
      (name) =>
        document.components.headers[name]?.required &&
        answer.headers[name.toLowerCase()] === undefined,
    );
    return missing ? `The ${answer.status} has no ${missing}.` : null;
  }

  function checkBody(answer: Answer, { content = {} }: ResponseDescription): string | null {
    const type = answer.headers['content-type']?.split(';')[0] ?? '';
    if (Object.keys(content).length === 0) {
      return answer.body === '' ? null : `The ${answer.status} has a body, and none is declared.`;
    }
    const schema = content[type]?.schema ?? (isFile(type, content) ? {} : null);
    if (!schema) return `The ${answer.status} comes as "${type}", which is not declared.`;
    if (!type.endsWith('json')) return null;
    let body: unknown;
    try {
      body = JSON.parse(answer.body);
    } catch {
      return `The body of the ${answer.status} is not JSON: ${answer.body.slice(0, 200)}`;
    }
    const validate = compiled.get(schema) ?? compile(schema);
    if (validate(body)) return null;
    return `The body of the ${answer.status} breaks its schema: ${ajv.errorsText(validate.errors)}`;
  }

  function compile(schema: object): ValidateFunction {
    const validate = ajv.compile(absolute(schema) as object);
    compiled.set(schema, validate);
    return validate;
  }
}

/** Pictures come as what they are. */
function isFile(type: string, content: object): boolean {
  return 'application/octet-stream' in content && type.startsWith('image/');
}

/** References lead into the document, from wherever they stand. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? inner.replace(/^#/, 'api#') : absolute(inner),
    ]),
  );
}
