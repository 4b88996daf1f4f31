import { chooseLanguage, textDirection } from '@inlay/elements';
import { type Words, words } from './words.ts';

/**
 * Sets the language of the page, which the chat uses as well: `?lang=` in the address, then the
 * languages of the browser, then English.
 *
 * @param asked - Value of `?lang=`; null if absent.
 * @returns The texts of the page in this language.
 */
export function speak(
  asked: string | null = new URLSearchParams(location.search).get('lang'),
): Words {
  const { language, locale } = chooseLanguage([...(asked ? [asked] : []), ...navigator.languages]);
  document.documentElement.lang = locale;
  document.documentElement.dir = textDirection(locale);
  document.title = words[language].conversation;
  return words[language];
}
