import type { ServerResponse } from 'node:http';

/** An error response in the format of OpenAI. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;

  constructor(
    status: number,
    message: string,
    details: { type?: string; param?: string; code?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.type = details.type ?? 'invalid_request_error';
    this.param = details.param ?? null;
    this.code = details.code ?? null;
  }
}

export function sendApiError(
  response: ServerResponse,
  error: ApiError,
  headers: Record<string, string> = {},
): void {
  const { message, type, param, code } = error;
  sendJson(response, error.status, { error: { message, type, param, code } }, headers);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
