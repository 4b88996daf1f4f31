import type { StringOverrides } from './strings.ts';
import { speak } from './words.ts';

/** Every language but English is a file of its own, fetched when somebody wants it. */
const files = {
  ar: async () => (await import('./languages/ar.ts')).arabic,
  de: async () => (await import('./languages/de.ts')).german,
  es: async () => (await import('./languages/es.ts')).spanish,
  fr: async () => (await import('./languages/fr.ts')).french,
  he: async () => (await import('./languages/he.ts')).hebrew,
  hi: async () => (await import('./languages/hi.ts')).hindi,
  ja: async () => (await import('./languages/ja.ts')).japanese,
  'pt-BR': async () => (await import('./languages/pt-br.ts')).brazilian,
  'zh-CN': async () => (await import('./languages/zh-cn.ts')).chinese,
} satisfies Record<string, () => Promise<StringOverrides>>;

/** A language that the elements speak, as a BCP 47 tag. */
export type Language = 'en' | keyof typeof files;

/** Every language that the elements speak. */
export const languages: readonly Language[] = ['en', ...(Object.keys(files) as never[])];

const loaded = new Map<Language, StringOverrides>([['en', speak()]]);

/** The words of a language, if they are there already. */
export function loadedLanguage(language: Language): StringOverrides | undefined {
  return loaded.get(language);
}

/**
 * Fetches the words of a language, of English those of the parts that are there. Rejects where that
 * fails; the next call tries again.
 */
export async function loadLanguage(language: Language): Promise<StringOverrides> {
  const words = language === 'en' ? speak() : await files[language]();
  loaded.set(language, words);
  return words;
}
