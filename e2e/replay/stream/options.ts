/** Amount of text in one chunk of the completion. */
export const chunkings = ['token', 'burst', 'whole'] as const;

/** How events are divided into writes to the socket. */
export const writings = ['event', 'packed', 'torn', 'split-utf8'] as const;

export const lineEnds = ['lf', 'crlf'] as const;

/** Deviations of providers from the API, which can be combined. */
export const quirks = [
  'comments',
  'empty-deltas',
  'no-choices',
  'role-repeated',
  'reasoning-field',
  'ascii-json',
  'no-finish',
  'no-usage',
  'no-done',
  'trailing-junk',
] as const;

/** Simulated failures. */
export const faults = [
  'rate-limit',
  'server-error',
  'html-503',
  'reset',
  'no-response',
  'hang-start',
  'hang-middle',
  'error-mid-stream',
  'malformed',
  'cut-reset',
  'cut-fin',
  'cut-clean',
] as const;

export type Chunking = (typeof chunkings)[number];
export type Writing = (typeof writings)[number];
export type LineEnd = (typeof lineEnds)[number];
export type Quirk = (typeof quirks)[number];
export type Fault = (typeof faults)[number];

export interface ReplayOptions {
  /** @default 'token' */
  readonly chunks: Chunking;
  /** @default 'event', one write for each event */
  readonly writes: Writing;
  /** @default 'lf' */
  readonly lines: LineEnd;
  readonly quirks: readonly Quirk[];
  /** Tokens per second. @default 0, as fast as the client reads */
  readonly tps: number;
  /** Milliseconds from the headers to the first token. @default 0 */
  readonly ttft: number;
  /** Truncates the answer to this number of tokens. @default 0, the complete answer */
  readonly tokens: number;
  /** Seed for the positions of bursts, splits and quirks. @default 1 */
  readonly seed: number;
  /** @default null, no fault */
  readonly fault: Fault | null;
  /** Number of requests that the fault affects. @default all */
  readonly times: number;
  /** Position of a fault during the answer, as a fraction from 0 to 1. @default 0.5 */
  readonly at: number;
  /** Seconds in `retry-after` of `rate-limit`. @default 1 */
  readonly retryAfter: number;
}

export const defaultOptions: ReplayOptions = {
  chunks: 'token',
  writes: 'event',
  lines: 'lf',
  quirks: [],
  tps: 0,
  ttft: 0,
  tokens: 0,
  seed: 1,
  fault: null,
  times: Number.POSITIVE_INFINITY,
  at: 0.5,
  retryAfter: 1,
};
