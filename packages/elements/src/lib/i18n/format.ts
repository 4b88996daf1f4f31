import type { Plural, Strings } from './strings.ts';

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const everyRightToLeft = new RegExp(rightToLeft, 'g');
const written = /[\p{L}\p{N}]/u;

type Values = Readonly<Record<string, string | number>>;

/**
 * Puts values into the `{name}` places of a sentence. A place without a value stays as it is. A value
 * that is written the other way than its sentence is isolated, so that it moves no word around it.
 */
export function format(sentence: string, values: Values): string {
  const isRtl = rightToLeft.test(sentence);
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => {
    if (!Object.hasOwn(values, name)) return place;
    const value = String(values[name]);
    const runsOtherwise = isRtl
      ? written.test(value.replaceAll(everyRightToLeft, ''))
      : rightToLeft.test(value);
    return runsOtherwise ? `\u2068${value}\u2069` : value;
  });
}

/** The form of a sentence that fits a count, with the count in its `{count}` places. */
export function plural(strings: Strings, forms: Plural, count: number): string {
  const form = forms[new Intl.PluralRules(strings.locale).select(count)] ?? forms.other;
  return format(form, { count: new Intl.NumberFormat(strings.locale).format(count) });
}

/** A length of time in words: `1 sec`, `2 min 5 sec`. Never less than a second. */
export function duration(strings: Strings, milliseconds: number): string {
  const total = Math.max(1, Math.round(milliseconds / 1000));
  const unit = (value: number, name: 'minute' | 'second') =>
    new Intl.NumberFormat(strings.locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
    }).format(value);

  const minutes = Math.floor(total / 60);
  const seconds = total % 60;
  const parts = [
    ...(minutes > 0 ? [unit(minutes, 'minute')] : []),
    ...(seconds > 0 || minutes === 0 ? [unit(seconds, 'second')] : []),
  ];
  return new Intl.ListFormat(strings.locale, { type: 'unit', style: 'narrow' }).format(parts);
}

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

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size of a file, such as `1.2 MB`. */
export function sizeOf(strings: Strings, bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return new Intl.NumberFormat(strings.locale, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1000 ** power);
}
