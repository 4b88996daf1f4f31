import { hash } from 'node:crypto';
import { ApiError } from '../problems/api-error.ts';

/** Returns the SHA-256 digest of a text: `sha256:` and 64 hexadecimal digits. */
export function digestOf(content: string): string {
  return `sha256:${hash('sha256', content, 'hex')}`;
}

/**
 * Checks the size of a text.
 *
 * @param maximum Maximum number of bytes in UTF-8.
 * @param field JSON Pointer to the text in the request body, and the name of the text in the error.
 * @throws ApiError `VALIDATION_ERROR` for a larger text.
 */
export function requireSize(
  content: string,
  maximum: number,
  field: { pointer: string; name: string },
): void {
  const bytes = Buffer.byteLength(content);
  if (bytes <= maximum) return;
  const message = `must have at most ${maximum} bytes; it has ${bytes}`;
  throw new ApiError('VALIDATION_ERROR', `The ${field.name} ${message}.`, {
    errors: [{ pointer: field.pointer, message }],
  });
}
