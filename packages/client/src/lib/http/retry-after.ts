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
 * there is nothing to compare a date with. What reads dates is loaded with the first one.
 */
export async function readRetryAfter(
  headers: Headers,
  serverNow?: ServerClock,
): Promise<number | null> {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value), longest) * 1000;
  if (value === '') return null;
  const dates = await import('./http-date.ts').catch(() => null);
  if (!dates) return null;
  const { parseHttpDate } = dates;
  const at = parseHttpDate(value);
  const now = parseHttpDate(headers.get('date') ?? '') ?? serverNow?.() ?? null;
  if (at === null || now === null) return null;
  return Math.min(Math.max(0, at - now), longest * 1000);
}
