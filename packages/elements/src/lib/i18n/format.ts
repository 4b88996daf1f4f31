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
