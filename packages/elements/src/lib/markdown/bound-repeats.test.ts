import { expect } from '../testing/fixture.ts';
import { boundGrammar, boundRepeats } from './highlight/bound-repeats.ts';

describe('boundRepeats', () => {
  it('gives unbounded quantifiers an upper bound', () => {
    expect(boundRepeats('\\w+\\s*')).to.equal('\\w{1,128}\\s{0,128}');
    expect(boundRepeats('a{3,}b{500,}c{1,2}')).to.equal('a{3,128}b{500,500}c{1,2}');
    expect(boundRepeats('(\\w+ )+(?:a|b)*')).to.equal('(\\w{1,128} ){1,32}(?:a|b){0,128}');
    expect(boundRepeats('((a*)b)*(c)?')).to.equal('((a{0,128})b){0,32}(c)?');
    expect(boundRepeats('"(.|\\n)*?"')).to.equal('"(.|\\n){0,1000}?"');
  });

  it('keeps escaped characters, character classes and groups', () => {
    for (const source of ['\\+\\*', '[+*\\]a]', '(?<=a)\\p{L}(?!b)', '[^]]?', '\\{3,\\}']) {
      expect(boundRepeats(source)).to.equal(source);
    }
  });
});

describe('boundGrammar', () => {
  it('bounds each pattern of a grammar once, even if a mode contains itself', () => {
    const mode: Record<string, unknown> = { begin: /a+/g, end: ['b*', /c/], contains: [] };
    mode.contains = ['self', mode, { variants: [{ match: 'd+' }] }];
    const grammar = boundGrammar({ contains: [mode, mode], keywords: { $pattern: /e+/ } });

    expect(grammar.keywords.$pattern).to.deep.equal(/e{1,128}/);
    expect(mode.begin).to.deep.equal(/a{1,128}/g);
    expect(mode.end).to.deep.equal(['b{0,128}', /c/]);
    expect(mode.contains).to.deep.equal(['self', mode, { variants: [{ match: 'd{1,128}' }] }]);
  });

  it('adds `\\b` to patterns that begin with repeated words', () => {
    const { contains } = boundGrammar({
      contains: [
        { begin: '(\\w+\\s+)+\\(' },
        { begin: /(\w+[*\s]+){1,12}\w/ },
        { begin: '(a+b)+' },
      ],
    });

    expect(contains).to.deep.equal([
      { begin: '\\b(\\w{1,128}\\s{1,128}){1,32}\\(' },
      { begin: /\b(\w{1,128}[*\s]{1,128}){1,12}\w/ },
      { begin: '(a{1,128}b){1,32}' },
    ]);
  });
});
