import { english } from './languages/en.ts';
import type { Strings } from './strings.ts';

/** Loads each language. English is always there. */
const files = {
  en: async () => english,
  ar: async () => (await import('./languages/ar.ts')).arabic,
  de: async () => (await import('./languages/de.ts')).german,
  es: async () => (await import('./languages/es.ts')).spanish,
  fr: async () => (await import('./languages/fr.ts')).french,
  he: async () => (await import('./languages/he.ts')).hebrew,
  hi: async () => (await import('./languages/hi.ts')).hindi,
  ja: async () => (await import('./languages/ja.ts')).japanese,
  'pt-BR': async () => (await import('./languages/pt-br.ts')).brazilian,
  'zh-CN': async () => (await import('./languages/zh-cn.ts')).chinese,
} satisfies Record<string, () => Promise<Strings>>;

/** A language that the elements speak, as a BCP 47 tag. */
export type Language = keyof typeof files;

/** Every language that the elements speak. */
export const languages: readonly Language[] = Object.keys(files) as Language[];

const loaded = new Map<Language, Strings>([['en', english]]);

/** The strings of a language; undefined while they are not loaded. */
export function loadedLanguage(language: Language): Strings | undefined {
  return loaded.get(language);
}

/** Loads the strings of a language. Rejects if that fails; the next call tries again. */
export async function loadLanguage(language: Language): Promise<Strings> {
  const strings = await files[language]();
  loaded.set(language, strings);
  return strings;
}
