import type { Strings } from './strings.ts';

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached formatter: creating one takes longer than rendering a message. */
function formatterOf({ locale }: Strings, day: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = [locale, ...Object.keys(day)].join();
  const formatter =
    formatters.get(key) ??
    new Intl.DateTimeFormat(locale, { ...day, hour: 'numeric', minute: '2-digit' });
  formatters.set(key, formatter);
  return formatter;
}

/** Formats a time in the past or near future: the time of day, with the date if it is on another day. */
export function timeOf(strings: Strings, time: number, now: number): string {
  const sameDay = new Date(time).toDateString() === new Date(now).toDateString();
  return formatterOf(strings, sameDay ? {} : { day: 'numeric', month: 'short' }).format(time);
}

/** Name of today, yesterday or tomorrow; undefined for other days. */
export function nameOfNearDay({ locale }: Strings, time: number, now: number): string | undefined {
  const startOfDay = (timestamp: number) => new Date(timestamp).setHours(0, 0, 0, 0);
  // Rounded, because a day with a clock change has 23 or 25 hours.
  const days = Math.round((startOfDay(time) - startOfDay(now)) / 86_400_000);
  if (Math.abs(days) > 1) return undefined;
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
}

/**
 * Formats the time of a reset, always with its day, because the preposition before a day and before a
 * time of day differs in many languages: `tomorrow at 12:00 AM`, or with the date if it is later.
 */
export function resetTime(strings: Strings, time: number, now = Date.now()): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const date = new Intl.DateTimeFormat(strings.locale, day).format(time);
  return formatterOf(strings, day)
    .format(time)
    .replace(date, nameOfNearDay(strings, time, now) ?? date);
}
