import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { ApiError } from '../problems/api-error.ts';

export interface FormParserOptions {
  /** Detail of the error for another media type. */
  readonly expected: string;
  readonly maximumParts: number;
  /**
   * Maximum bytes of a field; a longer value is truncated.
   *
   * @default 1 MiB
   */
  readonly fieldSize?: number;
}

/**
 * Creates a parser of multipart forms (RFC 7578). The `Content-Type` must have exactly one boundary, so
 * that a second boundary cannot bypass the parser's limits, or make an upstream read other parts.
 *
 * @throws ApiError `UNSUPPORTED_MEDIA_TYPE` for another media type, `VALIDATION_ERROR` for a boundary that
 *   is missing or invalid.
 */
export function createFormParser(
  contentType: string,
  { expected, maximumParts, fieldSize }: FormParserOptions,
): BusboyInstance {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', expected);
  }
  if (contentType.match(/;\s*boundary\s*=/gi)?.length !== 1) {
    throw invalidForm('must name one boundary in its `Content-Type`');
  }
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        parts: maximumParts,
        fields: maximumParts,
        headerPairs: 20,
        ...(fieldSize !== undefined && { fieldSize }),
      },
    });
  } catch (cause) {
    throw invalidForm('is not valid multipart/form-data', cause);
  }
}

/** The error for a body that is no valid form. */
export function invalidForm(message: string, cause?: unknown): ApiError {
  return new ApiError('VALIDATION_ERROR', `The body ${message}.`, {
    errors: [{ pointer: '', message }],
    cause,
  });
}
