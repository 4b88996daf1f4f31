import { expect } from '../testing/fixture.ts';
import { plural } from './format.ts';
import { languages, loadLanguage } from './languages.ts';
import { english, type Plural, type StringOverrides, withStrings } from './strings.ts';

const keys = Object.keys(english) as (keyof typeof english)[];
const counts = [0, 1, 2, 5, 11, 100];

const formsOf = (value: string | Plural | undefined): Record<string, string> =>
  typeof value === 'object' ? { ...value } : { other: value ?? '' };
const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

/** Every sentence of a language, with its key. */
const sentencesOf = (words: StringOverrides) =>
  Object.entries(words).flatMap(([key, value]) =>
    Object.values(formsOf(value)).map((text) => ({ key, text })),
  );

describe('languages', () => {
  for (const language of languages) {
    describe(language, () => {
      let words: StringOverrides;
      before(async () => {
        words = await loadLanguage(language);
      });

      it('says in `locale` which it is', () => {
        expect(words.locale).to.equal(language);
      });

      it('has the places of the English strings', () => {
        const wrong = keys.filter((key) => {
          const expected = placesOf(formsOf(english[key]).other ?? '');
          const { other = '', ...forms } = formsOf(words[key]);
          // A form for one certain count can do without the count.
          const isSame = String(placesOf(other)) === String(expected);
          return !isSame || !Object.values(forms).every((form) => isPart(placesOf(form), expected));
        });

        expect(wrong).to.deep.equal([]);
      });

      it('has the plural forms that its counts take, and no other', () => {
        const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        const wrong = keys.flatMap((key) => {
          const value = words[key];
          if (typeof english[key] !== 'object') return typeof value === 'string' ? [] : [key];
          const had = Object.keys(formsOf(value));
          return [
            ...needed.filter((form) => !had.includes(form)).map((form) => `${key} lacks ${form}`),
            ...had
              .filter((form) => !needed.includes(form as never))
              .map((form) => `${key}: ${form}`),
          ];
        });

        expect(wrong).to.deep.equal([]);
      });

      it('tells counts apart, and shows those that its words don’t say', () => {
        const table = withStrings(words);
        const rules = new Intl.PluralRules(language);
        const said = counts.map((count) => plural(table, table.unread, count));
        const forms = new Set(counts.map((count) => rules.select(count)));

        expect(new Set(said).size).to.be.greaterThanOrEqual(forms.size);
        const number = new Intl.NumberFormat(language);
        for (const [index, count] of counts.entries()) {
          if (count > 2) expect(said[index]).to.contain(number.format(count));
          expect(said[index]).not.to.match(/[{}]/);
        }
      });

      it('keeps to the marks of its script', () => {
        const wrong = sentencesOf(words).filter(({ text }) =>
          (marks[language] ?? never).test(text),
        );

        expect(wrong).to.deep.equal([]);
      });

      it('leaves no string in English', () => {
        const same = keys.filter(
          (key) => typeof words[key] === 'string' && words[key] === english[key],
        );

        // A handful of words are the same in two languages; a file that was forgotten is not.
        expect(language === 'en' ? 0 : same.length).to.be.lessThan(25);
      });
    });
  }
});

/** Nothing that these find may stand in the language. */
const marks: Partial<Record<string, RegExp>> = {
  de: /["“”](?!$|[\s?.,])|\s\s|\.\.\./,
  fr: /(?<![\u00a0\u202f])[?!;»]|(?<!\u00a0): |«(?!\u00a0)|'|"|\.\.\./,
  es: /^[^¿]*\?|^[^¡]*!|'|\.\.\./,
  'pt-BR': /'|"|\.\.\./,
  ja: /[!?,;]|: |\((?![^)]*\{)|\.\.\./,
  'zh-CN': /[!?,;]|: |\.\.\./,
  ar: /[,;?](?!\w)|\.\.\./,
  he: /"|'|\.\.\./,
  hi: /[^.]\.$|\.\.\./,
};
const never = /(?!)/;

function isPart(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one));
}
