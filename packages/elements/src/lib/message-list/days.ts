import type { Strings } from '../i18n/strings.ts';

const msPerDay = 86_400_000;

/**
 * Key of the day of a time, in the user's time zone.
 *
 * @param time - Milliseconds since the epoch.
 */
export const dayOf = (time: number) => new Date(time).toDateString();

/** Label of a date separator: “Today”, “Yesterday”, “Monday, 3 March”. */
export function nameOfDay({ locale }: Strings, time: number, now: number): string {
  const startOfDay = (timestamp: number) => new Date(timestamp).setHours(0, 0, 0, 0);
  // Rounded, because a day with a clock change has 23 or 25 hours.
  const daysAgo = Math.round((startOfDay(now) - startOfDay(time)) / msPerDay);
  if (daysAgo === 0 || daysAgo === 1) {
    const dayNames = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    return capitalized(locale, dayNames.format(-daysAgo, 'day'));
  }
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const date = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
  return capitalized(locale, date.format(time));
}

/** Capitalizes the first letter: many languages write days and months in lower case. */
function capitalized(locale: string, text: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(locale) + text.slice(first.length);
}
