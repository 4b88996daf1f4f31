import core from '@highlightjs/cdn-assets/es/core.min.js';
import { boundGrammar } from './bound-repeats.ts';
import { type Token, TokenEmitter } from './token-emitter.ts';

core.configure({ __emitter: TokenEmitter });

/** Splits code into tokens. Returns undefined for code that can't be parsed. */
export type Tokenizer = (code: string) => readonly Token[] | undefined;

/** A grammar of highlight.js: a function that creates its modes with the API of the library. */
export type Grammar = (api: unknown) => object;

/** Creates the tokenizer of a language from its grammar and those of its embedded languages. */
export function createTokenizer(
  language: string,
  grammars: readonly (readonly [string, Grammar])[],
): Tokenizer {
  for (const [name, grammar] of grammars) {
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
