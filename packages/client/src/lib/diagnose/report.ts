/** The checks of a diagnosis, in order. */
export type CheckId =
  /** Whether `baseUrl` is the address of a working platform. */
  | 'platform'
  /** Whether the token source returns a token that the platform accepts. */
  | 'token'
  /** The difference between this machine's clock and the platform's. */
  | 'clock'
  /** Whether the agent may be used on pages of this origin. */
  | 'origin'
  /** Whether CORS allows the page to read the platform's responses. */
  | 'cors'
  /** Whether the page's Content Security Policy allows the requests. */
  | 'csp'
  /** Whether streams arrive without buffering. */
  | 'streaming'
  /** Whether the last call of the agent's model succeeded. */
  | 'model'
  /** Whether the page can store data between page loads. */
  | 'storage'
  /** Whether several tabs can have streams: browsers open six HTTP/1.1 connections per host. */
  | 'connections'
  /** Whether scripts of the page change built-in functions. */
  | 'page';

/**
 * Outcome of a check. `warning`: the chat works with limitations. `skipped`: not possible,
 * usually because another check failed, which `cause` names.
 */
export type CheckOutcome = 'ok' | 'failed' | 'warning' | 'skipped';

/** The result of one check. */
export interface Check {
  readonly id: CheckId;
  readonly outcome: CheckOutcome;
  /** The finding, in one or two sentences. */
  readonly cause: string;
  /** The remedy; null if none is needed. */
  readonly remedy: string | null;
  /** Measurements, without tokens, codes, secrets and queries of addresses. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

/** The result of a diagnosis. It contains no secret, so that it can be shown, logged and forwarded. */
export interface DiagnosisReport {
  /** Time by this machine's clock (RFC 3339). */
  readonly checkedAt: string;
  /** The origin of the page; null outside a page. */
  readonly page: string | null;
  /** Address of the platform without user, query and fragment; empty if it is missing. */
  readonly platform: string;
  /** All checks, in the order of `CheckId`. */
  readonly checks: readonly Check[];
  /** The report as plain text, for a bug report. */
  readonly text: string;
}

export interface DiagnoseOptions {
  /** Ends the diagnosis, which then rejects with `ABORTED`. */
  readonly signal?: AbortSignal;
}
