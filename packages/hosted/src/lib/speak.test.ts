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
  it('writes the page in the language that its address asks for', () => {
    expect(speak('ar')).to.equal(words.ar);
    expect(document.documentElement.lang).to.equal('ar');
    expect(document.documentElement.dir).to.equal('rtl');
    expect(document.title).to.equal('محادثة');
  });

  it('goes by the browser where the address asks for nothing that is spoken', () => {
    expect(speak('xx')).to.equal(words.en);
    // A browser that runs without a locale names one that is none.
    const spoken = navigator.language === 'C' ? 'en' : navigator.language;
    expect(document.documentElement.lang).to.equal(spoken);
    expect(document.documentElement.dir).to.equal('ltr');
  });

  it('has every sentence in every language, with the place of the site', () => {
    const keys = Object.keys(words.en);
    for (const language of languages) {
      expect(words[language]).to.have.all.keys(keys);
      expect(words[language].back).to.contain('{host}');
    }
  });
});
