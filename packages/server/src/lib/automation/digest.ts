import { hash } from 'node:crypto';
import { ApiError } from '../problems/api-error.ts';

/** Computes the digest of a content. */
export function digestOf(content: string): string {
  return `sha256:${hash('sha256', content, 'hex')}`;
}

/**
 * Checks the size of a content.
 *
 * @param subject What is measured, with its place in the body.
 * @param maximum Maximum number of bytes in UTF-8.
 * @throws ApiError `VALIDATION_ERROR`
 */
export function requireSize(
  content: string,
  maximum: number,
  { pointer, subject }: { pointer: string; subject: string },
): void {
  const bytes = Buffer.byteLength(content);
  if (bytes <= maximum) return;
  const message = `must have at most ${maximum} bytes; it has ${bytes}`;
  throw new ApiError('VALIDATION_ERROR', `The ${subject} ${message}.`, {
    errors: [{ pointer, message }],
  });
}
