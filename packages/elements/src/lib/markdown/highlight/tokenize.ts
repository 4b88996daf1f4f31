import core from '@highlightjs/cdn-assets/es/core.min.js';
import { boundGrammar } from './bound-repeats.ts';
import { fetchGrammars, type Language } from './languages.ts';
import { type Token, TokenEmitter } from './token-emitter.ts';

core.configure({ __emitter: TokenEmitter });

export type Tokenize = (code: string) => readonly Token[] | undefined;

/** Creates the tokenizer of a language. It returns undefined for code that it can't parse. */
export async function createTokenize(language: Language): Promise<Tokenize> {
  for (const [name, grammar] of await fetchGrammars(language)) {
    if (!core.getLanguage(name)) core.registerLanguage(name, (api) => boundGrammar(grammar(api)));
  }
  // Compiles the grammar now, not in the task that highlights the first code block.
  core.highlight('', { language, ignoreIllegals: true });
  return (code) => {
    const { _emitter: emitter, errorRaised } = core.highlight(code, {
      language,
      ignoreIllegals: true,
    });
    if (errorRaised || !(emitter instanceof TokenEmitter)) return undefined;
    return emitter.tokens.at(-1)?.end === code.length ? emitter.tokens : undefined;
  };
}
