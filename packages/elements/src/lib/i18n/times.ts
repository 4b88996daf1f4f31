import type { Strings } from './strings.ts';

const clocks = new Map<string, Intl.DateTimeFormat>();

/** One for each language: to make one takes longer than to draw a message. */
function clockOf({ locale }: Strings, day: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = [locale, ...Object.keys(day)].join();
  const clock =
    clocks.get(key) ??
    new Intl.DateTimeFormat(locale, { ...day, hour: 'numeric', minute: '2-digit' });
  clocks.set(key, clock);
  return clock;
}

/** When something was said: the time of day, with the date where it was another day. */
export function timeOf(strings: Strings, at: number, now: number): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return clockOf(strings, sameDay ? {} : { day: 'numeric', month: 'short' }).format(at);
}

/** When something will be: the time of day, with the day where it is another one. */
export function timeUntil(strings: Strings, at: number, now: number): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  const otherDay = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return clockOf(strings, sameDay ? {} : otherDay).format(at);
}
