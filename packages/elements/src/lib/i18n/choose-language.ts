import { deprecatedSubtags, type Language, languageEntry, languages } from './languages.ts';

const english = 'en';

/** A supported language, and the locale for dates, numbers and plurals. */
export interface LanguageChoice {
  readonly language: Language;
  readonly locale: string;
}

/**
 * Chooses the first supported language of a list of BCP 47 tags, otherwise English. Another region or
 * script is accepted, preferably the same script: `pt-PT` gets the strings of `pt-BR`, `zh-HK` those
 * of `zh-TW`. Dates and numbers use the requested region, unless its script is another one.
 */
export function chooseLanguage(tags: readonly string[]): LanguageChoice {
  for (const tag of tags) {
    const match = languageOfSimpleTag(tag);
    if (match) return { language: match, locale: tag };
    const locale = parseTag(tag);
    if (!locale) continue;
    const hasScript = (candidate: Language) =>
      locale.toString() === candidate || scriptOf(locale) === scriptOf(new Intl.Locale(candidate));
    const candidates = languages.filter((each) => each.split('-')[0] === locale.language);
    const language = candidates.find(hasScript) ?? candidates[0];
    if (!language) continue;
    const isSameScript = hasScript(language);
    return { language, locale: isSameScript ? locale.toString() : language };
  }
  return { language: english, locale: english };
}

/** Text direction of a locale. */
export function textDirection(locale: string): 'ltr' | 'rtl' {
  const language = languageOfSimpleTag(locale);
  if (language) return languageEntry(language).direction ?? 'ltr';
  const parsed = parseTag(locale);
  return parsed && /^(Arab|Hebr|Thaa|Syrc|Nkoo|Adlm)$/.test(scriptOf(parsed)) ? 'rtl' : 'ltr';
}

/**
 * Resolves a tag of the form `de` or `de-CH` without `Intl`, whose script data takes about 10 ms to
 * load and would delay the first paint. A language whose script depends on the region is only found
 * by its exact tag.
 */
function languageOfSimpleTag(tag: string): Language | undefined {
  const [, subtag] = /^([a-z]{2})(-[A-Z]{2})?$/.exec(tag) ?? [];
  return languages.find(
    (each) => each === tag || (!languageEntry(each).scriptVaries && each.split('-')[0] === subtag),
  );
}

const scriptOf = (locale: Intl.Locale) => locale.maximize().script ?? '';

/** Parses a tag, also with underscores (`pt_BR`); null if it is invalid. */
function parseTag(tag: string): Intl.Locale | null {
  try {
    // Not every engine maps deprecated language tags.
    return new Intl.Locale(
      tag
        .trim()
        .replaceAll('_', '-')
        .replace(/^\w+/, (subtag) => deprecatedSubtags[subtag.toLowerCase()] ?? subtag),
    );
  } catch {
    return null;
  }
}
