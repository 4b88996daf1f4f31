import { InlayError, isInlayError } from '../errors.ts';
import { isAccessDenied } from './auth-state.ts';
import type { TokenGrant } from './token-source.ts';

/** Maximum length of a token, in characters. */
const maxTokenLength = 16_384;

/** Errors caused by a defect of the host page, which retries alone don't fix. */
export const hostErrors = new WeakSet<InlayError>();

/**
 * Reads the result of a token source.
 *
 * @returns Null if the source denied access (null or undefined).
 * @throws {InlayError} `INVALID_TOKEN_FROM_HOST` if there is no token that can be sent in a header, or
 *   `expires_at` is not a date. The message names the fault, but never the value.
 */
export function readGrant(value: unknown): TokenGrant | null {
  if (value === null || value === undefined) return null;
  const { token, expires_at } = readFields(value);
  if (typeof token !== 'string') {
    throw invalidTokenError(
      `it is of type ${typeof token}: return a string, or { token, expires_at }`,
    );
  }
  if (/^(?:undefined|null)?$/.test(token)) {
    throw invalidTokenError(`it is the string "${token}". To deny access, return null`);
  }
  if (!/^[\x21-\x7e]+$/.test(token) || token.length > maxTokenLength) {
    throw invalidTokenError(
      `it has more than ${maxTokenLength} characters, or characters that are not visible ASCII`,
    );
  }
  if (expires_at === undefined || expires_at === null) return { token };
  if (typeof expires_at !== 'string' || Number.isNaN(Date.parse(expires_at))) {
    throw invalidTokenError('its expires_at is not a date');
  }
  return { token, expires_at };
}

function readFields(value: unknown): Record<string, unknown> {
  try {
    return typeof value === 'object' ? { ...value } : { token: value };
  } catch {
    // A getter of the value throws.
    throw hostError(unavailableError());
  }
}

/**
 * Converts an error of a token source. The message of the host page's own error is omitted, because it
 * may quote a secret.
 */
export function asTokenError(error: unknown): InlayError {
  try {
    if (isInlayError(error)) return error;
    // `getToken` may throw a problem of the platform that the host's token endpoint forwarded.
    const code = String(Object(error).code);
    if (isAccessDenied(code)) {
      return new InlayError(code, 'The platform issues no token for this user.');
    }
    if (error instanceof Error || Object.prototype.toString.call(error) === '[object Error]') {
      return unavailableError();
    }
  } catch {
    // The thrown value has a getter that throws.
  }
  return hostError(unavailableError());
}

function unavailableError(): InlayError {
  return new InlayError('TOKEN_UNAVAILABLE', 'getToken failed.', { retryable: true });
}

function invalidTokenError(fault: string): InlayError {
  const message = `getToken returned something that is not a token: ${fault}.`;
  return hostError(new InlayError('INVALID_TOKEN_FROM_HOST', message, { retryable: true }));
}

function hostError(error: InlayError): InlayError {
  hostErrors.add(error);
  return error;
}
