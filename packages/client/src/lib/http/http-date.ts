/** The three forms of a date that a recipient accepts (RFC 9110, section 5.6.7). */
const httpDates = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Milliseconds since the epoch; null for anything that is no HTTP date. */
export function parseHttpDate(text: string): number | null {
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
