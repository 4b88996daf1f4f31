import type { Strings } from '../i18n/strings.ts';

const msPerDay = 86_400_000;

/** Formats the time of the last message in short form: `14:05`, `yesterday`, `Monday`, `4 May`. */
export function relativeDate(strings: Strings, time: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(time)) / msPerDay);
  const { locale } = strings;
  if (days === 1) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-1, 'day');
  return new Intl.DateTimeFormat(locale, formatFor(days, time, now)).format(time);
}

function formatFor(days: number, time: number, now: number): Intl.DateTimeFormatOptions {
  if (days <= 0) return { hour: 'numeric', minute: '2-digit' };
  if (days < 7) return { weekday: 'long' };
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return { day: 'numeric', month: 'short', ...(!sameYear && { year: 'numeric' }) };
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
