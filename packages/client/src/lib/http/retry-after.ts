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

/** The three date formats that a recipient must accept (RFC 9110, section 5.6.7). */
const httpDateFormats = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Returns milliseconds since the epoch; null for text that is not an HTTP date. */
function parseHttpDate(text: string): number | null {
  for (const format of httpDateFormats) {
    const { day, month, year, time } = format.exec(text)?.groups ?? {};
    if (!day || !month || !year || !time) continue;
    // `Retry-After` is in the future, so a two-digit year belongs to this century.
    const fullYear = year.length === 2 ? `20${year}` : year;
    const timestamp = Date.parse(`${day.trim()} ${month} ${fullYear} ${time} GMT`);
    return Number.isNaN(timestamp) ? null : timestamp;
  }
  return null;
}
