import type { Problem } from '@inlay/protocol';
import { type DiagnosticListener, unexpectedError } from './diagnostics.ts';
import { omitUndefined } from './omit-undefined.ts';

/** Code that identifies the error. Codes of the platform are passed through. */
export type InlayErrorCode =
  /** An option or argument is wrong: `message` names it and the remedy. */
  | 'INVALID_OPTION'
  /** The page loads two versions of the elements: `message` names both. */
  | 'VERSION_CONFLICT'
  /** `getToken` returned no token, or the one that was just refused: issue a new one for each call. */
  | 'INVALID_TOKEN_FROM_HOST'
  /** `getToken` used the client that waits for it: request the token directly from your backend. */
  | 'TOKEN_REENTRANCY'
  /**
   * There was no token within 15 seconds; the client retries by itself. Or `getToken` rejected three
   * times with something that is not an error; then call `client.reconnect()`.
   */
  | 'TOKEN_UNAVAILABLE'
  /**
   * The host page denied access: `getToken` returned nothing, or threw `AuthDeniedError`. Sign the user
   * in, then call `client.reconnect()`.
   */
  | 'AUTH_DENIED'
  /**
   * There was no response, the connection broke, or CORS hid the response. `cause` is the exception. The
   * client retries by itself; `client.diagnose()` finds the cause.
   */
  | 'NETWORK_ERROR'
  /** The response is not the platform's: check the URL, and the proxies in front of the platform. */
  | 'UNEXPECTED_RESPONSE'
  /** The platform has nothing to stream: the response is 204, or has no body. */
  | 'NO_STREAM'
  /** An event of the stream is larger than 1 MiB. The client reads it from the log by itself. */
  | 'STREAM_OVERFLOW'
  /** The stream skipped events, which are read from the log. */
  | 'STREAM_GAP'
  /** Another user uses the page: pending calls of the previous user are dropped. */
  | 'SUBJECT_CHANGED'
  /**
   * The client itself failed: `cause` is the exception. Report it as a bug. If it closed a conversation,
   * open the conversation again; if `client.auth` shows it, call `client.reconnect()`.
   */
  | 'UNEXPECTED_ERROR'
  /** The object was closed. */
  | 'CLOSED'
  /** The caller aborted the call. */
  | 'ABORTED'
  /** A problem code of the platform, such as `EMBED_USER_BLOCKED`: see the page at `problem.type`. */
  | (string & {});

const marker = Symbol.for('inlay.error');

/** The error class of this package. It never contains a token or another secret. */
export class InlayError extends Error {
  override readonly name: string = 'InlayError';
  readonly [marker] = true;
  declare readonly code: InlayErrorCode;
  /** Whether the same call may succeed later. */
  declare readonly retryable: boolean;
  /** HTTP status; null without a response. */
  declare readonly status: number | null;
  /** Delay that the platform requests before a retry, in milliseconds; null if it requests none. */
  declare readonly retryAfterMs: number | null;
  /** The platform's problem body; null without one. */
  declare readonly problem: Problem | null;
  /** The platform's `X-Request-Id`, for reports; null without one. */
  declare readonly requestId: string | null;

  constructor(
    code: InlayErrorCode,
    message: string,
    {
      cause,
      ...details
    }: {
      retryable?: boolean;
      status?: number | null;
      retryAfterMs?: number | null;
      problem?: Problem | null;
      requestId?: string | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, omitUndefined({ cause }));
    const defaults = { status: null, retryAfterMs: null, problem: null, requestId: null };
    Object.assign(this, { code, retryable: false, ...defaults, ...details });
  }
}

/** Whether a value is an `InlayError`, including one of another copy of this library. */
export function isInlayError(value: unknown): value is InlayError {
  return marker in Object(value);
}

/**
 * Throws a `NETWORK_ERROR` for the exception of a request, of its body or of an import; an `InlayError`,
 * such as that of an aborted call, unchanged. Browsers report a lost connection and CORS alike.
 */
export function throwNetworkError(cause: unknown): never {
  throw isInlayError(cause)
    ? cause
    : networkError('The connection failed, or CORS hides the response.', cause);
}

/** Creates a `NETWORK_ERROR`, which is retryable. */
export function networkError(message: string, cause?: unknown): InlayError {
  return new InlayError('NETWORK_ERROR', message, { retryable: true, cause });
}

/**
 * Returns an `InlayError` unchanged. Any other exception is a defect, which a retry does not remedy:
 * reports it, and returns an `UNEXPECTED_ERROR`.
 */
export function asInlayError(cause: unknown, onDiagnostic?: DiagnosticListener): InlayError {
  if (isInlayError(cause)) return cause;
  onDiagnostic?.(unexpectedError(cause));
  return new InlayError('UNEXPECTED_ERROR', 'The client failed.', { cause });
}

/**
 * Whether a retry may succeed. `UNEXPECTED_RESPONSE` counts as temporary because a proxy may have
 * responded in place of the platform.
 */
export function isTemporary({ retryable, code }: InlayError): boolean {
  return retryable || code === 'UNEXPECTED_RESPONSE';
}

/** Returns a retryable copy of an error. */
export function retryableOf(error: InlayError): InlayError {
  return new InlayError(error.code, error.message, { ...error, retryable: true });
}

export function closedError(name = 'client'): InlayError {
  return new InlayError('CLOSED', `The ${name} was closed.`);
}

export function subjectChanged(): InlayError {
  return new InlayError('SUBJECT_CHANGED', 'Another user uses the page now.');
}

/**
 * Thrown by the `getToken` of a host page to deny access: the user signed out, or may not use the agent.
 * `getToken` is not called again until the user reconnects. Returning null or undefined has the same effect.
 */
export class AuthDeniedError extends InlayError {
  override readonly name = 'AuthDeniedError';

  constructor(message = 'The host page denied this user a token.') {
    super('AUTH_DENIED', message);
  }
}
