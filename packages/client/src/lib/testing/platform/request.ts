import type { FieldError } from '@inlay/protocol';
import type { PlatformParts } from './platform-parts.ts';
import { invalidField, invalidFields, ProblemError } from './problem-error.ts';
import type { Issuance } from './tokens.ts';

/** A parsed request. */
export interface PlatformRequest {
  /** Method and path, with `{id}` instead of a session or file id: `POST /sessions/{id}/events`. */
  readonly name: string;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string | null;
  /** The form of an upload; null for other requests. */
  readonly form: FormData | null;
  readonly token: string | null;
  /** `Idempotency-Key`; null without one. */
  readonly key: string | null;
  /** Aborted when the caller aborts the request. */
  readonly signal: AbortSignal;
}

/** An authenticated request. */
export interface UserRequest {
  readonly request: PlatformRequest;
  readonly parts: PlatformParts;
  readonly issuance: Issuance;
}

/** Parses the arguments of `fetch`. Throws for an address outside the platform. */
export async function readRequest(
  baseUrl: string,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<PlatformRequest & { readonly method: string; readonly path: string }> {
  const request = typeof input === 'object' && 'url' in input ? input : null;
  const url = new URL(addressOf(input));
  const root = `${baseUrl}/agent/v1`;
  const path = url.href.startsWith(`${root}/`)
    ? url.pathname.slice(new URL(root).pathname.length)
    : '';
  if (path === '')
    throw new TypeError(
      `There is no server at ${url.origin}${url.pathname}: the scripted platform is at ${root}.`,
    );
  const method = (init.method ?? request?.method ?? 'GET').toUpperCase();
  const headers = new Headers(init.headers ?? request?.headers);
  const id = /^\/(?:sessions|files)\/([^/]+)/.exec(path)?.[1] ?? '';
  const key = headers.get('idempotency-key');
  const isForm = headers.get('content-type')?.startsWith('multipart/form-data');
  return {
    method,
    path: `${path}${url.search}`,
    name: `${method} ${id === '' ? path : path.replace(`/${id}`, '/{id}')}`,
    id: decodeURIComponent(id),
    query: url.searchParams,
    headers,
    body:
      typeof init.body === 'string' ? init.body : isForm ? null : ((await request?.text()) ?? null),
    form:
      init.body instanceof FormData
        ? init.body
        : isForm
          ? ((await request?.formData()) ?? null)
          : null,
    token: /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null,
    key,
    signal: init.signal ?? request?.signal ?? new AbortController().signal,
  };
}

/** Returns the address that `fetch` is called with. */
export function addressOf(input: RequestInfo | URL): string {
  return typeof input === 'object' && 'url' in input ? input.url : String(input);
}

/** The part of the protocol's schemas that is used here, without a dependency on their library. */
interface Schema<Value> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: Value }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}

/** Validates the body with a schema. Throws `VALIDATION_ERROR` with the invalid fields. */
export function readBody<Value>({ body }: PlatformRequest, schema: Schema<Value>): Value {
  let value: unknown;
  try {
    value = JSON.parse(body ?? '');
  } catch {
    throw invalidField('', 'must be JSON');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidFields(
    result.error.issues.map(
      ({ path, message }): FieldError => ({
        pointer: path.map((part) => `/${String(part)}`).join(''),
        message,
      }),
    ),
  );
}

/** Throws for an invalid idempotency key. */
export function checkIdempotencyKey(key: string | null): void {
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return;
  throw invalidField('/headers/Idempotency-Key', 'must have 1 to 255 visible ASCII characters');
}

/** Returns the `limit` of a list. */
export function readLimit(
  { query }: PlatformRequest,
  size: { max: number; default: number },
): number {
  const limit = Number(query.get('limit') ?? size.default);
  if (Number.isInteger(limit) && limit >= 1 && limit <= size.max) return limit;
  throw invalidField('/query/limit', `must be a whole number from 1 to ${size.max}`);
}

/** Returns a page of items, with the cursor of the next page. */
export function pageOf<Item>(
  items: readonly Item[],
  limit: number,
  cursor: (item: Item) => string,
) {
  const data = items.slice(0, limit);
  const lastItem = data.at(-1);
  const next = lastItem !== undefined && items.length > limit ? cursor(lastItem) : null;
  return { data, next_cursor: next, next_page: next };
}

export function jsonResponse(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
}

/** Creates the error for an unknown path or object, and for an object of another user. */
export function notFoundError(): ProblemError {
  return new ProblemError('NOT_FOUND');
}
