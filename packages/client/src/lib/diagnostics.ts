import type { ReadEvent } from '@inlay/protocol/read-event';

/**
 * An event for the integrator's logs and monitoring. It never contains a token, a code, a visitor's
 * secret or the text of a message; `error`, an exception, is passed on unchanged.
 */
export type Diagnostic =
  /** An event of a type that this version does not know was skipped. */
  | { readonly type: 'unknown_event'; readonly eventType: string }
  /** An invalid event was skipped. `fault` names the field. */
  | { readonly type: 'invalid_event'; readonly fault: string }
  /** The stream ended or failed to open, and is reopened after `delayMs` milliseconds. */
  | { readonly type: 'stream_retry'; readonly code: string; readonly delayMs: number }
  /**
   * A proxy between the page and the platform buffers streams. Reported once; the client polls the log
   * until streams arrive without delay. To fix it, turn buffering off in that proxy.
   */
  | { readonly type: 'stream_buffered' }
  /** The token source failed, and is called again after `delayMs` milliseconds. */
  | {
      readonly type: 'token_retry';
      readonly code: string;
      readonly delayMs: number;
      /** Whether the current token is still valid. */
      readonly degraded: boolean;
    }
  /** Sending an event failed, and is retried after `delayMs` milliseconds. */
  | { readonly type: 'send_retry'; readonly code: string; readonly delayMs: number }
  /** The platform refused an event for a reason that the user can't remedy, such as an invalid body. */
  | { readonly type: 'send_refused'; readonly code: string; readonly requestId: string | null }
  /** A listener threw `error`, which is also reported with `reportError`. The client continued. */
  | { readonly type: 'listener_error'; readonly name: string; readonly error: unknown }
  /**
   * The client itself failed with the exception `error`, which is also reported with `reportError`.
   * `eventId`: the event that was skipped because of it; null if the failure is not that of an event.
   */
  | {
      readonly type: 'unexpected_error';
      readonly error: unknown;
      readonly eventId: string | null;
    };

export type DiagnosticListener = (diagnostic: Diagnostic) => void;

/** Creates the diagnostic for an exception of the client, with the event that is skipped. */
export function unexpectedError(
  error: unknown,
  event: { readonly type?: string; readonly id?: string } = {},
): Diagnostic {
  return { type: 'unexpected_error', error, eventId: event.id ?? null };
}

/** Reports an event that is skipped. */
export function reportSkipped(read: ReadEvent, onDiagnostic: DiagnosticListener): void {
  if (read.kind === 'unknown') onDiagnostic({ type: 'unknown_event', eventType: read.type });
  if (read.kind === 'invalid') onDiagnostic({ type: 'invalid_event', fault: read.fault });
}
