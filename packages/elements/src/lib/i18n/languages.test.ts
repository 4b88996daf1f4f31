import { expect } from '../testing/fixture.ts';
import { english, type StringOverrides } from './all-strings.ts';
import { plural } from './format.ts';
import { type Language, languages, loadLanguage } from './languages.ts';
import { type Plural, withStrings } from './strings.ts';

const keys = Object.keys(english) as (keyof typeof english)[];
const counts = [0, 1, 2, 5, 11, 100];

const formsOf = (value: string | Plural | undefined): Record<string, string> =>
  typeof value === 'object' ? { ...value } : { other: value ?? '' };
const placeholdersOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

/** All strings of a language, including plural forms, with their keys. */
const textsOf = (strings: StringOverrides) =>
  Object.entries(strings).flatMap(([key, value]) =>
    Object.values(formsOf(value)).map((text) => ({ key, text })),
  );

describe('the language', () => {
  for (const language of languages) {
    describe(`“${language}”`, () => {
      let strings: StringOverrides;
      before(async () => {
        const loaded = await loadLanguage(language);
        if (!loaded) throw new Error(`“${language}” could not be loaded.`);
        strings = loaded;
      });

      it('has its own tag as `locale`', () => {
        expect(strings.locale).to.equal(language);
      });

      it('has the placeholders of the English strings', () => {
        const wrong = keys.filter((key) => {
          const expected = placeholdersOf(formsOf(english[key]).other ?? '');
          const { other = '', ...forms } = formsOf(strings[key]);
          // A form for a single count, such as “one file”, may omit the placeholder.
          const isSame = String(placeholdersOf(other)) === String(expected);
          return (
            !isSame ||
            !Object.values(forms).every((form) => isSubset(placeholdersOf(form), expected))
          );
        });

        expect(wrong).to.deep.equal([]);
      });

      it('has exactly the plural forms that Intl.PluralRules requires', () => {
        const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        const wrong = keys.flatMap((key) => {
          const value = strings[key];
          if (typeof english[key] !== 'object') return typeof value === 'string' ? [] : [key];
          const actual = Object.keys(formsOf(value));
          return [
            ...categories
              .filter((form) => !actual.includes(form))
              .map((form) => `${key} lacks ${form}`),
            ...actual
              .filter((form) => !categories.includes(form as never))
              .map((form) => `${key}: ${form}`),
          ];
        });

        expect(wrong).to.deep.equal([]);
      });

      it('has a distinct string for each plural form, and shows each count above 2 as a number', () => {
        const table = withStrings(strings, english);
        const rules = new Intl.PluralRules(language);
        const results = counts.map((count) => plural(table, table.unread, count));
        const forms = new Set(counts.map((count) => rules.select(count)));

        expect(new Set(results).size).to.be.greaterThanOrEqual(forms.size);
        const number = new Intl.NumberFormat(language);
        for (const [index, count] of counts.entries()) {
          if (count > 2) expect(results[index]).to.contain(number.format(count));
          expect(results[index]).not.to.match(/[{}]/);
        }
      });

      it('uses its own punctuation', () => {
        const wrong = textsOf(strings).filter(({ text }) => wrongPunctuation[language].test(text));

        expect(wrong).to.deep.equal([]);
      });

      if (language === 'en') return;

      it('has fewer than 25 strings in common with English', () => {
        const same = keys.filter(
          (key) => typeof strings[key] === 'string' && strings[key] === english[key],
        );

        // Some strings are the same in two languages, but only a few.
        expect(same.length).to.be.lessThan(25);
      });
    });
  }
});

/** Punctuation that is wrong in a language. */
const wrongPunctuation: Record<Language, RegExp> = {
  en: /'|"|\.\.\./,
  de: /["“”](?!$|[\s?.,])|\s\s|\.\.\./,
  fr: /(?<![\u00a0\u202f])[?!;»]|(?<!\u00a0): |«(?!\u00a0)|'|"|\.\.\./,
  es: /^[^¿]*\?|^[^¡]*!|'|\.\.\./,
  'pt-BR': /'|"|\.\.\./,
  ja: /[!?,;]|: |\((?![^)]*\{)|\.\.\./,
  'zh-CN': /[!?,;]|: |\.\.\./,
  'zh-TW': /[!?,;]|: |\.\.\./,
  fa: /[,;?](?!\w)|\.\.\./,
  it: /'|"|\.\.\./,
  ko: /'|"|[！？，]|\.\.\./,
  nl: /'|"|\.\.\./,
  pl: /'|"|“|\.\.\./,
  tr: /'|"|\.\.\./,
  ar: /[,;?](?!\w)|\.\.\./,
  he: /"|'|\.\.\./,
  hi: /[^.]\.$|\.\.\./,
};

function isSubset(part: readonly string[], all: readonly string[]): boolean {
  return part.every((item) => all.includes(item));
}
