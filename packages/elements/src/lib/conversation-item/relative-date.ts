import type { Strings } from '../i18n/strings.ts';

const msPerDay = 86_400_000;

/** Number of midnights between two times, in the user's time zone. */
export function daysBetween(time: number, now: number): number {
  // Rounded, because a day with a clock change has 23 or 25 hours.
  return Math.round((startOfDay(now) - startOfDay(time)) / msPerDay);
}

/** Formats the time of the last message below the name of its day: `14:05`, `Monday`, `4 May`. */
export function relativeDate({ locale }: Strings, time: number, now: number): string {
  return new Intl.DateTimeFormat(locale, formatFor(time, now)).format(time);
}

function formatFor(time: number, now: number): Intl.DateTimeFormatOptions {
  const days = daysBetween(time, now);
  if (days <= 1) return { hour: 'numeric', minute: '2-digit' };
  if (days < 7) return { weekday: 'long' };
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return { day: 'numeric', month: 'short', ...(!sameYear && { year: 'numeric' }) };
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
