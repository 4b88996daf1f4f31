import { type Language, languageOf } from './languages.ts';
import type { Tokenize } from './tokenize.ts';

const loading = new Map<Language, Promise<Tokenize | undefined>>();

/**
 * Fetches what reads a language, once. Undefined for a language that is not ours, and where its
 * files can't be fetched: the code stays plain then, and the next block tries again.
 */
export async function loadTokenize(name: string): Promise<Tokenize | undefined> {
  const language = languageOf(name);
  if (!language) return undefined;
  if (!loading.has(language)) loading.set(language, load(language));
  return await loading.get(language);
}

async function load(language: Language): Promise<Tokenize | undefined> {
  try {
    const { createTokenize } = await import('./tokenize.ts');
    return await createTokenize(language);
  } catch {
    loading.delete(language);
    return undefined;
  }
}
