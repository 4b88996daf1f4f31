/**
 * Longest wait that is represented, in seconds: about 68 years. RFC 9111 section 1.2.2 gives this
 * value for a number of seconds that is too large.
 */
const longest = 2 ** 31;

/** The platform's clock in milliseconds since the epoch; null while it is not known. */
export type ServerClock = () => number | null;

/**
 * Milliseconds that an answer asks to wait (RFC 9110, section 10.2.3): a number of seconds, or a
 * date. A date is compared with the answer's own `Date`, or with the platform's clock where that
 * header can't be read; the browser's clock may be wrong. Null where nothing is asked, or where
 * there is nothing to compare a date with.
 */
export function readRetryAfter(headers: Headers, serverNow?: ServerClock): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value), longest) * 1000;
  const at = parseHttpDate(value);
  const now = parseHttpDate(headers.get('date') ?? '') ?? serverNow?.() ?? null;
  if (at === null || now === null) return null;
  return Math.min(Math.max(0, at - now), longest * 1000);
}

/** The three forms of a date that a recipient accepts (RFC 9110, section 5.6.7). */
const httpDates = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Milliseconds since the epoch; null for anything that is no HTTP date. */
function parseHttpDate(text: string): number | null {
  for (const form of httpDates) {
    const { day, month, year, time } = form.exec(text)?.groups ?? {};
    if (!day || !month || !year || !time) continue;
    // A wait never reaches back into another century.
    const full = year.length === 2 ? `20${year}` : year;
    const at = Date.parse(`${day.trim()} ${month} ${full} ${time} GMT`);
    return Number.isNaN(at) ? null : at;
  }
  return null;
}
