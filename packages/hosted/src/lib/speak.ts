import { chooseLanguage, textDirection } from '@inlay/elements';
import { type Words, words } from './words.ts';

/**
 * Writes the page in the language of `?lang=` in its address, otherwise the browser's, English where
 * it has neither. The chat on it follows.
 *
 * @param asked - What the address asks for; null for nothing.
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
