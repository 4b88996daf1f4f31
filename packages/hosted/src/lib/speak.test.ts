import { languages } from '@inlay/elements';
import { expect } from 'chai';
import { speak } from './speak.ts';
import { words } from './words.ts';

const { lang, dir } = document.documentElement;
const { title } = document;

afterEach(() => {
  Object.assign(document.documentElement, { lang, dir });
  document.title = title;
});

describe('speak', () => {
  it('uses the language in the address', () => {
    expect(speak('ar')).to.equal(words.ar);
    expect(document.documentElement.lang).to.equal('ar');
    expect(document.documentElement.dir).to.equal('rtl');
    expect(document.title).to.equal('محادثة');
  });

  it('uses the language of the browser if the one in the address is unknown', () => {
    expect(speak('xx')).to.equal(words.en);
    // Without a system locale, browsers report the POSIX locale `C`, which is not a language.
    const spoken = navigator.language === 'C' ? 'en' : navigator.language;
    expect(document.documentElement.lang).to.equal(spoken);
    expect(document.documentElement.dir).to.equal('ltr');
  });

  it('has all texts with their placeholders in every language', () => {
    const keys = Object.keys(words.en);
    for (const language of languages) {
      expect(words[language]).to.have.all.keys(keys);
      expect(words[language].back).to.contain('{host}');
    }
  });
});
