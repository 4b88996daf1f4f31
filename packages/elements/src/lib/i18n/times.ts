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

/**
 * Formats the time of a reset, always with its day, because the preposition before a day and before a
 * time of day differs in many languages.
 */
export function resetTime(strings: Strings, time: number): string {
  return formatterOf(strings, { weekday: 'long', day: 'numeric', month: 'long' }).format(time);
}
