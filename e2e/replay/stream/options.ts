/** How much of the answer one chunk of the completion holds. */
export const chunkings = ['token', 'burst', 'whole'] as const;

/** How the events of the stream fall into writes to the socket. */
export const writings = ['event', 'packed', 'torn', 'split-utf8'] as const;

export const lineEnds = ['lf', 'crlf'] as const;

/** What providers do beside the letter of the API. Any number of them at once. */
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

/** What goes wrong. */
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
  /** Default `token`. */
  readonly chunks: Chunking;
  /** Default `event`: each in a write of its own. */
  readonly writes: Writing;
  /** Default `lf`. */
  readonly lines: LineEnd;
  readonly quirks: readonly Quirk[];
  /** Tokens per second. Default 0: as fast as the client reads. */
  readonly tps: number;
  /** Milliseconds from the headers to the first token. Default 0. */
  readonly ttft: number;
  /** Cuts the answer after so many tokens, and finishes as if it were whole. Default 0: all. */
  readonly tokens: number;
  /** Where bursts, tears and quirks fall. Default 1. */
  readonly seed: number;
  /** Default null: all goes well. */
  readonly fault: Fault | null;
  /** How many requests the fault hits before the next ones work. Default: every one. */
  readonly times: number;
  /** How far into the answer a fault of its middle strikes, 0 to 1. Default 0.5. */
  readonly at: number;
  /** Seconds in `retry-after` of `rate-limit`. Default 1. */
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
