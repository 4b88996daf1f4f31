import { languages } from '@inlay/elements';
import { expect } from 'chai';
import { applyPageLanguage } from './page-language.ts';
import { pageStrings } from './page-strings.ts';

const { lang, dir } = document.documentElement;
const { title } = document;

afterEach(() => {
  Object.assign(document.documentElement, { lang, dir });
  document.title = title;
});

describe('applyPageLanguage', () => {
  it('uses the language in the address', () => {
    expect(applyPageLanguage('ar')).to.equal(pageStrings.ar);
    expect(document.documentElement.lang).to.equal('ar');
    expect(document.documentElement.dir).to.equal('rtl');
    expect(document.title).to.equal('محادثة');
  });

  it('uses the language of the browser if the language in the address is unknown', () => {
    expect(applyPageLanguage('xx')).to.equal(pageStrings.en);
    // Without a system locale, browsers report the POSIX locale `C`, which is not a language.
    const browserLanguage = navigator.language === 'C' ? 'en' : navigator.language;
    expect(document.documentElement.lang).to.equal(browserLanguage);
    expect(document.documentElement.dir).to.equal('ltr');
  });
});
describe('pageStrings', () => {
  it('has every text, and the placeholder for the host, in every language', () => {
    const keys = Object.keys(pageStrings.en);
    for (const language of languages) {
      expect(pageStrings[language]).to.have.all.keys(keys);
      expect(pageStrings[language].back).to.contain('{host}');
    }
  });
});
