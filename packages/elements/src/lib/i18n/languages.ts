import { retryImport } from '../retry-import.ts';
import { english } from './languages/en.ts';
import type { Strings } from './strings.ts';

/** Properties of each language, and the import of its strings. */
interface LanguageEntry {
  readonly load: () => Promise<Strings>;
  /**
   * Text direction.
   *
   * @default ltr
   */
  readonly direction?: 'rtl';
  /** Whether the script depends on the region, so that a tag without script and region is ambiguous. */
  readonly scriptVaries?: true;
}

/** Every language by its BCP 47 tag. English is always loaded. */
const languageTable = {
  en: { load: async () => english },
  ar: { direction: 'rtl', load: async () => (await import('./languages/ar.ts')).arabic },
  de: { load: async () => (await import('./languages/de.ts')).german },
  es: { load: async () => (await import('./languages/es.ts')).spanish },
  fa: { direction: 'rtl', load: async () => (await import('./languages/fa.ts')).persian },
  fr: { load: async () => (await import('./languages/fr.ts')).french },
  he: { direction: 'rtl', load: async () => (await import('./languages/he.ts')).hebrew },
  hi: { load: async () => (await import('./languages/hi.ts')).hindi },
  it: { load: async () => (await import('./languages/it.ts')).italian },
  ja: { load: async () => (await import('./languages/ja.ts')).japanese },
  ko: { load: async () => (await import('./languages/ko.ts')).korean },
  nl: { load: async () => (await import('./languages/nl.ts')).dutch },
  pl: { load: async () => (await import('./languages/pl.ts')).polish },
  'pt-BR': { load: async () => (await import('./languages/pt-br.ts')).brazilian },
  tr: { load: async () => (await import('./languages/tr.ts')).turkish },
  'zh-CN': { scriptVaries: true, load: async () => (await import('./languages/zh-cn.ts')).chinese },
  'zh-TW': {
    scriptVaries: true,
    load: async () => (await import('./languages/zh-tw.ts')).traditionalChinese,
  },
} satisfies Record<string, LanguageEntry>;

/** Deprecated language subtags that pages still use, with their replacements. */
export const deprecatedSubtags: Readonly<Record<string, string>> = { iw: 'he' };

/** A supported language, as a BCP 47 tag. */
export type Language = keyof typeof languageTable;

/** All supported languages. */
export const languages: readonly Language[] = Object.keys(languageTable) as Language[];

/** Properties of a language. */
export function languageEntry(language: Language): LanguageEntry {
  return languageTable[language];
}

const loadedStrings = new Map<Language, Strings>([['en', english]]);

/** The strings of a language; undefined while they are not loaded. */
export function loadedStringsOf(language: Language): Strings | undefined {
  return loadedStrings.get(language);
}

/** Loads the strings of a language. Rejects if that fails repeatedly. */
export async function loadLanguage(language: Language): Promise<Strings> {
  const strings = await retryImport(languageEntry(language).load);
  loadedStrings.set(language, strings);
  return strings;
}
