import type { Strings } from '../i18n/strings.ts';

const msPerDay = 86_400_000;

/** Formats the time of the last message in short form: `14:05`, `yesterday`, `Monday`, `4 May`. */
export function relativeDate(strings: Strings, at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / msPerDay);
  const { locale } = strings;
  if (days === 1) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-1, 'day');
  return new Intl.DateTimeFormat(locale, formatFor(days, at, now)).format(at);
}

function formatFor(days: number, at: number, now: number): Intl.DateTimeFormatOptions {
  if (days <= 0) return { hour: 'numeric', minute: '2-digit' };
  if (days < 7) return { weekday: 'long' };
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return { day: 'numeric', month: 'short', ...(!sameYear && { year: 'numeric' }) };
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
