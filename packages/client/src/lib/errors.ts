import type { Problem } from '@inlay/protocol';
import { omitUndefined } from './omit-undefined.ts';

/** What went wrong, for code to branch on. Codes of the platform pass through as they are. */
export type InlayErrorCode =
  /** An option or argument is wrong: `message` names it and the remedy. */
  | 'INVALID_OPTION'
  /** `getToken` gave something that cannot be a token. */
  | 'INVALID_TOKEN_FROM_HOST'
  /** `getToken` called something that needs a token itself. */
  | 'TOKEN_REENTRANCY'
  /** No token could be had in time. Trying again may help. */
  | 'TOKEN_UNAVAILABLE'
  /** The host said no: `getToken` returned nothing, or threw `AuthDenied`. */
  | 'AUTH_DENIED'
  /** The network failed, or a cross-origin rule hid the answer. */
  | 'NETWORK_ERROR'
  /** The answer is not what the platform sends: a captive portal, a proxy's page. */
  | 'UNEXPECTED_RESPONSE'
  /** The stream sent more than a reader may hold. */
  | 'STREAM_OVERFLOW'
  /** The stream left out events of the log, which are read from there. */
  | 'STREAM_GAP'
  /** Another person uses the page now: what was asked for the former one is dropped. */
  | 'SUBJECT_CHANGED'
  /** The object was closed. */
  | 'CLOSED'
  /** The caller aborted it. */
  | 'ABORTED'
  /** Any code of a problem body. */
  | (string & {});

const marker = Symbol.for('inlay.error');

/** The one error that this package throws. It never holds a token or another secret. */
export class InlayError extends Error {
  override readonly name: string = 'InlayError';
  readonly [marker] = true;
  declare readonly code: InlayErrorCode;
  /** Whether the same call may succeed later. */
  declare readonly retryable: boolean;
  /** HTTP status; null where no answer came. */
  declare readonly status: number | null;
  /** Milliseconds that the platform asks to wait; null where it asks nothing. */
  declare readonly retryAfterMs: number | null;
  /** The platform's problem body; null where there is none. */
  declare readonly problem: Problem | null;
  /** The platform's `X-Request-Id`, for reports; null where there is none. */
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
    const unknown = { status: null, retryAfterMs: null, problem: null, requestId: null };
    Object.assign(this, { code, retryable: false, ...unknown, ...details });
  }
}

/** Whether a value is an `InlayError`, also one of a second copy of this library on the page. */
export function isInlayError(value: unknown): value is InlayError {
  return typeof value === 'object' && value !== null && marker in value;
}

/** An error as it is, if it is one of ours; otherwise a fault of the network. */
export function asInlayError(error: unknown): InlayError {
  if (isInlayError(error)) return error;
  return new InlayError('NETWORK_ERROR', 'The connection failed.', { retryable: true });
}

/** The same error, for a call that may succeed later. */
export function retryableOf(error: InlayError): InlayError {
  return new InlayError(error.code, error.message, { ...error, retryable: true });
}

export function closedError(): InlayError {
  return new InlayError('CLOSED', 'The client was closed.');
}

export function subjectChanged(): InlayError {
  return new InlayError('SUBJECT_CHANGED', 'Another person uses the page now: this was dropped.');
}

/**
 * What a host's `getToken` throws to say no: the person signed out, or may not use the agent. It is
 * not asked again until the person wants to reconnect. Answering null or undefined says the same.
 */
export class AuthDenied extends InlayError {
  override readonly name = 'AuthDenied';

  constructor(message = 'The host gave this person no token.') {
    super('AUTH_DENIED', message);
  }
}
