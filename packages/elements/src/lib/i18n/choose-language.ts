import { formerTags, type Language, languageEntry, languages } from './languages.ts';

const english = 'en';

/** A language, and the tag that dates, numbers and plurals go by. */
export interface Choice {
  readonly language: Language;
  readonly locale: string;
}

/**
 * The first of the wanted BCP 47 tags that the elements speak, English where there is none. Another
 * region or script is near enough: `pt-PT` is answered in the words of `pt-BR`, `zh-TW` in those of
 * `zh-CN`, which its readers can read. Dates and numbers keep the region that was asked for.
 */
export function chooseLanguage(wanted: readonly string[]): Choice {
  for (const tag of wanted) {
    const known = plainLanguageOf(tag);
    if (known) return { language: known, locale: tag };
    const locale = localeOf(tag);
    const language = languages.find((one) => one.split('-')[0] === locale?.language);
    if (!locale || !language) continue;
    const isSameScript =
      locale.toString() === language || scriptOf(locale) === scriptOf(new Intl.Locale(language));
    return { language, locale: isSameScript ? locale.toString() : language };
  }
  return { language: english, locale: english };
}

/** Where the words of a locale begin: from the right in Arabic, Hebrew and their like. */
export function textDirection(locale: string): 'ltr' | 'rtl' {
  const known = plainLanguageOf(locale);
  if (known) return languageEntry(known).direction ?? 'ltr';
  const read = localeOf(locale);
  return read && /^(Arab|Hebr|Thaa|Syrc|Nkoo|Adlm)$/.test(scriptOf(read)) ? 'rtl' : 'ltr';
}

/**
 * The language of a tag that can be read without the browser, whose knowledge of scripts takes ten
 * milliseconds to load, when all wait for the first paint. A language whose script varies by region
 * is read so by its own tag alone.
 */
function plainLanguageOf(tag: string): Language | undefined {
  const [, plain] = /^([a-z]{2})(-[A-Z]{2})?$/.exec(tag) ?? [];
  return languages.find(
    (one) => one === tag || (!languageEntry(one).scriptVaries && one.split('-')[0] === plain),
  );
}

const scriptOf = (locale: Intl.Locale) => locale.maximize().script ?? '';

/** Null for what is no tag. Pages write `pt_BR` as well. */
function localeOf(tag: string): Intl.Locale | null {
  try {
    // Not every engine knows the former tags of languages.
    return new Intl.Locale(
      tag
        .trim()
        .replaceAll('_', '-')
        .replace(/^\w+/, (first) => formerTags[first.toLowerCase()] ?? first),
    );
  } catch {
    return null;
  }
}
