import { type Language, languageOf } from './languages.ts';
import type { Tokenizer } from './tokenizer.ts';

const tokenizers = new Map<Language, Promise<Tokenizer | undefined>>();

/**
 * Loads the tokenizer of a language, once. Resolves with undefined if the language is not supported or
 * loading fails: the code is not highlighted then, and the next block retries.
 */
export async function loadTokenizer(name: string): Promise<Tokenizer | undefined> {
  const language = languageOf(name);
  if (!language) return undefined;
  if (!tokenizers.has(language)) tokenizers.set(language, load(language));
  return await tokenizers.get(language);
}

async function load(language: Language): Promise<Tokenizer | undefined> {
  try {
    const { createTokenizer } = await import('./tokenizer.ts');
    return await createTokenizer(language);
  } catch {
    tokenizers.delete(language);
    return undefined;
  }
}
