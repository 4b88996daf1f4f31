import { InlayError } from '../errors.ts';

/** The part of a schema that reading needs. */
export interface Reader<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false };
}

/** Reads an answer's JSON by its schema. */
export async function readBody<Value>(response: Response, schema: Reader<Value>): Promise<Value> {
  let value: unknown;
  try {
    value = await response.json();
  } catch {
    throw unexpected(response, 'is not JSON');
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw unexpected(response, 'is not what this call is answered with');
  return parsed.data;
}

function unexpected(response: Response, fault: string): InlayError {
  return new InlayError('UNEXPECTED_RESPONSE', `The platform's answer ${fault}.`, {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
  });
}
