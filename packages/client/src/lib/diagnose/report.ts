/** What a diagnosis looks at, in this order. */
export type CheckId =
  /** Whether the platform's address leads to a platform that works. */
  | 'platform'
  /** Whether the token source gives a token, and the platform takes it. */
  | 'token'
  /** This machine's clock beside the platform's. */
  | 'clock'
  /** Whether the agent may be used on pages of this origin. */
  | 'origin'
  /** Whether the page may read the platform's answers. */
  | 'cors'
  /** Whether the page's Content Security Policy lets the requests out. */
  | 'csp'
  /** Whether a stream arrives as it is sent, or is held back on the way. */
  | 'streaming'
  /** Whether the page can keep something between loads. */
  | 'storage'
  /** Whether there is room for several tabs: browsers open six connections over HTTP/1.1. */
  | 'connections';

/**
 * `warning`: the chat works, and something else may not. `skipped`: it could not be looked at,
 * mostly because of another check that failed; `cause` says which.
 */
export type CheckOutcome = 'ok' | 'failed' | 'warning' | 'skipped';

/** One thing that was looked at. */
export interface Check {
  readonly id: CheckId;
  readonly outcome: CheckOutcome;
  /** What was found, as a sentence or two. */
  readonly cause: string;
  /** What to do about it; null where nothing has to be done. */
  readonly remedy: string | null;
  /** What was measured. Never a token, a code, a secret, or the query of an address. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

/** What a diagnosis found. It can be shown, logged and sent on as it is: it holds no secret. */
export interface DiagnosisReport {
  /** When, by this machine's clock: RFC 3339. */
  readonly checkedAt: string;
  /** The origin of the page; null outside a page. */
  readonly page: string | null;
  /** The address of the platform, without a user, a query or a fragment; empty where there is none. */
  readonly platform: string;
  /** Every check, in the order of `CheckId`. */
  readonly checks: readonly Check[];
  /** All of it as plain text, for a bug report. */
  readonly text: string;
}

export interface DiagnoseOptions {
  /** Ends the diagnosis, which then rejects with `ABORTED`. */
  readonly signal?: AbortSignal;
}
