import { type Lazy, lazy } from '../lazy.ts';
import { english } from './languages/en.ts';
import type { Strings } from './strings.ts';

/** Properties of each language, and its strings. */
interface LanguageEntry {
  readonly strings: Lazy<Strings> | { readonly value: Strings };
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
  en: { strings: { value: english } },
  ar: { direction: 'rtl', strings: lazy(async () => (await import('./languages/ar.ts')).arabic) },
  de: { strings: lazy(async () => (await import('./languages/de.ts')).german) },
  es: { strings: lazy(async () => (await import('./languages/es.ts')).spanish) },
  fa: { direction: 'rtl', strings: lazy(async () => (await import('./languages/fa.ts')).persian) },
  fr: { strings: lazy(async () => (await import('./languages/fr.ts')).french) },
  he: { direction: 'rtl', strings: lazy(async () => (await import('./languages/he.ts')).hebrew) },
  hi: { strings: lazy(async () => (await import('./languages/hi.ts')).hindi) },
  it: { strings: lazy(async () => (await import('./languages/it.ts')).italian) },
  ja: { strings: lazy(async () => (await import('./languages/ja.ts')).japanese) },
  ko: { strings: lazy(async () => (await import('./languages/ko.ts')).korean) },
  nl: { strings: lazy(async () => (await import('./languages/nl.ts')).dutch) },
  pl: { strings: lazy(async () => (await import('./languages/pl.ts')).polish) },
  'pt-BR': { strings: lazy(async () => (await import('./languages/pt-br.ts')).brazilian) },
  tr: { strings: lazy(async () => (await import('./languages/tr.ts')).turkish) },
  'zh-CN': {
    scriptVaries: true,
    strings: lazy(async () => (await import('./languages/zh-cn.ts')).chinese),
  },
  'zh-TW': {
    scriptVaries: true,
    strings: lazy(async () => (await import('./languages/zh-tw.ts')).traditionalChinese),
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

/** The strings of a language; undefined while they are not loaded. */
export function loadedStringsOf(language: Language): Strings | undefined {
  return languageEntry(language).strings.value;
}

/** Loads the strings of a language. Resolves to undefined if that fails repeatedly. */
export async function loadLanguage(language: Language): Promise<Strings | undefined> {
  const { strings } = languageEntry(language);
  return 'load' in strings ? strings.load() : strings.value;
}
