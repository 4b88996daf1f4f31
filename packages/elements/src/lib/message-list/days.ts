import type { Strings } from '../i18n/strings.ts';

const msPerDay = 86_400_000;

/**
 * Key of the day of a time, in the user's time zone.
 *
 * @param at - Milliseconds since the epoch.
 */
export const dayOf = (at: number) => new Date(at).toDateString();

/** Label of a date separator: “Today”, “Yesterday”, “Monday, 3 March”. */
export function nameOfDay({ locale }: Strings, at: number, now: number): string {
  const startOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  // Rounded, because a day with a clock change has 23 or 25 hours.
  const daysAgo = Math.round((startOfDay(now) - startOfDay(at)) / msPerDay);
  if (daysAgo === 0 || daysAgo === 1) {
    const dayNames = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    return capitalized(locale, dayNames.format(-daysAgo, 'day'));
  }
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const date = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
  return capitalized(locale, date.format(at));
}

/** Capitalizes the first letter: many languages write days and months in lower case. */
function capitalized(locale: string, text: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(locale) + text.slice(first.length);
}
