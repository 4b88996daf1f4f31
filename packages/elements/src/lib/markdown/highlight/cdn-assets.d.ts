/** Types of the functions of highlight.js that are used here. Its package of ES modules has no types. */
declare module '@highlightjs/cdn-assets/es/core.min.js' {
  type Emitter = import('./token-emitter.ts').Emitter;
  type Grammar = import('./tokenizer.ts').Grammar;
  const core: {
    configure(options: { readonly __emitter: new () => Emitter }): void;
    getLanguage(name: string): unknown;
    registerLanguage(name: string, grammar: Grammar): void;
    highlight(
      code: string,
      options: { readonly language: string; readonly ignoreIllegals: boolean },
    ): { readonly _emitter: Emitter; readonly errorRaised?: Error };
  };
  export = core;
}

declare module '@highlightjs/cdn-assets/es/languages/*' {
  const grammar: import('./tokenizer.ts').Grammar;
  export = grammar;
}
