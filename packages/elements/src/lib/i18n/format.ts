import type { Plural, Strings } from './strings.ts';

const rightToLeftCharacter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const rightToLeftCharacters = new RegExp(rightToLeftCharacter, 'g');
const letterOrDigit = /[\p{L}\p{N}]/u;

type Values = Readonly<Record<string, string | number>>;

/**
 * Replaces the `{name}` placeholders of a string. A placeholder without a value is kept. A value whose
 * text direction differs is wrapped in Unicode isolates, so that it does not reorder the text around it.
 */
export function format(text: string, values: Values): string {
  const isRtl = rightToLeftCharacter.test(text);
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    if (!Object.hasOwn(values, name)) return placeholder;
    const value = String(values[name]);
    const differs = isRtl
      ? letterOrDigit.test(value.replaceAll(rightToLeftCharacters, ''))
      : rightToLeftCharacter.test(value);
    return differs ? `\u2068${value}\u2069` : value;
  });
}

const formatters = new Map<string, readonly [Intl.PluralRules, Intl.NumberFormat]>();

/** Returns cached formatters of a language: creating them takes longer than a sentence takes otherwise. */
function formattersOf({ locale }: Strings) {
  const known = formatters.get(locale);
  if (known) return known;
  const created = [new Intl.PluralRules(locale), new Intl.NumberFormat(locale)] as const;
  formatters.set(locale, created);
  return created;
}

/** Selects the plural form for a count and replaces its `{count}` placeholders. */
export function plural(strings: Strings, forms: Plural, count: number): string {
  const [rules, numbers] = formattersOf(strings);
  return format(forms[rules.select(count)] ?? forms.other, { count: numbers.format(count) });
}
