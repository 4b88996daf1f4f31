/**
 * What an integrator may want to see in a log or a monitoring tool. A diagnostic never holds a
 * token, a code, a visitor's secret, or anything that a person or an agent said.
 */
export type Diagnostic =
  /** The platform sent an event type that this version does not know. It was passed over. */
  | { readonly type: 'unknown_event'; readonly eventType: string }
  /** The platform sent something that is not an event: `fault` names the field. */
  | { readonly type: 'invalid_event'; readonly fault: string }
  /** The stream broke off, or did not open, and will be tried again after `delay` milliseconds. */
  | { readonly type: 'stream_retry'; readonly code: string; readonly delay: number }
  /**
   * Something between the page and the platform holds streams back, as proxies do that gather an
   * answer before they pass it on. Told once; the client asks for the log instead until streams
   * come through again. The remedy is a setting of that proxy.
   */
  | { readonly type: 'stream_buffered' }
  /** The token source failed, and will be asked again after `delay` milliseconds. */
  | {
      readonly type: 'token_retry';
      readonly code: string;
      readonly delay: number;
      /** Whether the token at hand still works. */
      readonly degraded: boolean;
    }
  /** Something was not accepted, and will be sent again after `delay` milliseconds. */
  | { readonly type: 'send_retry'; readonly code: string; readonly delay: number }
  /** A listener of the host threw. The client went on. */
  | { readonly type: 'listener_error'; readonly name: string };

export type DiagnosticListener = (diagnostic: Diagnostic) => void;
