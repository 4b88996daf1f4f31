import { chooseLanguage, textDirection } from '@inlay/elements';
import { type PageStrings, pageStrings } from './page-strings.ts';

/**
 * Sets the language of the page, which the chat uses as well: the first supported language of `?lang=`
 * in the address, the browser's languages, and English.
 *
 * @param requested - Value of `?lang=`; null if absent.
 * @returns The texts of the page in this language.
 */
export function applyPageLanguage(
  requested: string | null = new URLSearchParams(location.search).get('lang'),
): PageStrings {
  const { language, locale } = chooseLanguage([
    ...(requested ? [requested] : []),
    ...navigator.languages,
  ]);
  document.documentElement.lang = locale;
  document.documentElement.dir = textDirection(locale);
  document.title = pageStrings[language].conversation;
  return pageStrings[language];
}
