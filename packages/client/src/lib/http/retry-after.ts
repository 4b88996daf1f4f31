/**
 * The longest wait, in seconds: about 68 years. RFC 9111 section 1.2.2 uses this value for a number
 * of seconds that is too large.
 */
const maxSeconds = 2 ** 31;

/** The platform's clock in milliseconds since the epoch; null while it is not known. */
export type ServerClock = () => number | null;

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3), which is a number of seconds or a date. A date is
 * compared with the response's own `Date`, or with the platform's clock if CORS hides that header: the
 * browser's clock may be wrong.
 *
 * @returns Milliseconds to wait; null without the header, or without a clock to compare a date with.
 */
export function readRetryAfter(headers: Headers, serverNow?: ServerClock): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value), maxSeconds) * 1000;
  const end = parseHttpDate(value);
  const now = parseHttpDate(headers.get('date') ?? '') ?? serverNow?.() ?? null;
  if (end === null || now === null) return null;
  return Math.min(Math.max(0, end - now), maxSeconds * 1000);
}

/** The format of `asctime`, which is the third format. */
const asctimeDate = /^(\w{3}) (\w{3}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})$/;

/** The first two formats: `Sun, 22 Nov 2026 12:01:00 GMT` and `Sunday, 22-Nov-26 12:01:00 GMT`. */
const httpDate = /^\w+, +(\d+)[ -](\w{3})[ -](\d\d)?(\d\d) (\d\d:\d\d:\d\d) GMT$/;

/**
 * Parses a date in one of the three formats that a recipient must accept (RFC 9110, section 5.6.7).
 *
 * @returns Milliseconds since the epoch; null for other text.
 */
function parseHttpDate(text: string): number | null {
  const match = httpDate.exec(text.replace(asctimeDate, '$1, $3 $2 $5 $4 GMT'));
  if (!match) return null;
  // `Retry-After` is in the future, so a two-digit year belongs to this century.
  const [, day, month, century = 20, year, time] = match;
  const timestamp = Date.parse(`${day} ${month} ${century}${year} ${time} GMT`);
  return Number.isNaN(timestamp) ? null : timestamp;
}
