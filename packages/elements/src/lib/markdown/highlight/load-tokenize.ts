import { type Language, languageOf } from './languages.ts';
import type { Tokenize } from './tokenize.ts';

const loading = new Map<Language, Promise<Tokenize | undefined>>();

/**
 * Loads the tokenizer of a language, once. Resolves with undefined if the language is not supported or
 * loading fails: the code is not highlighted then, and the next block retries.
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
