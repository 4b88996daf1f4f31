import type { Strings } from '../i18n/strings.ts';
import { nameOfNearDay } from '../i18n/times.ts';

/**
 * Key of the day of a time, in the user's time zone.
 *
 * @param time - Milliseconds since the epoch.
 */
export const dayOf = (time: number) => new Date(time).toDateString();

/** Label of a date separator: “Today”, “Yesterday”, “Monday, 3 March”. */
export function nameOfDay(strings: Strings, time: number, now: number): string {
  const { locale } = strings;
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const date = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: sameYear ? undefined : 'numeric',
  });
  return capitalized(locale, nameOfNearDay(strings, time, now) ?? date.format(time));
}

/** Capitalizes the first letter: many languages write days and months in lower case. */
function capitalized(locale: string, text: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(locale) + text.slice(first.length);
}
