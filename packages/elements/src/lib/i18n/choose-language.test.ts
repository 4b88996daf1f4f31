import { expect } from '../testing/fixture.ts';
import { chooseLanguage, textDirection } from './choose-language.ts';

describe('chooseLanguage', () => {
  it('chooses the first supported language, otherwise English', () => {
    expect(chooseLanguage(['sv', 'fr', 'de']).language).to.equal('fr');
    expect(chooseLanguage(['sv'])).to.deep.equal({ language: 'en', locale: 'en' });
    expect(chooseLanguage([])).to.deep.equal({ language: 'en', locale: 'en' });
  });

  it('accepts a tag with any region, and returns the tag as the locale', () => {
    expect(chooseLanguage(['de-CH'])).to.deep.equal({ language: 'de', locale: 'de-CH' });
    expect(chooseLanguage(['pt'])).to.deep.equal({ language: 'pt-BR', locale: 'pt' });
    expect(chooseLanguage(['pt-PT'])).to.deep.equal({ language: 'pt-BR', locale: 'pt-PT' });
    expect(chooseLanguage(['en-GB'])).to.deep.equal({ language: 'en', locale: 'en-GB' });
  });

  it('chooses the language whose script is that of the tag', () => {
    expect(chooseLanguage(['zh-TW'])).to.deep.equal({ language: 'zh-TW', locale: 'zh-TW' });
    expect(chooseLanguage(['zh-Hant-HK'])).to.deep.equal({
      language: 'zh-TW',
      locale: 'zh-Hant-HK',
    });
    expect(chooseLanguage(['zh-SG'])).to.deep.equal({ language: 'zh-CN', locale: 'zh-SG' });
    expect(chooseLanguage(['zh'])).to.deep.equal({ language: 'zh-CN', locale: 'zh' });
  });

  it('returns a tag with a script as the locale only if the script is supported', () => {
    expect(chooseLanguage(['zh-Hans'])).to.deep.equal({ language: 'zh-CN', locale: 'zh-Hans' });
    expect(chooseLanguage(['hi-Latn'])).to.deep.equal({ language: 'hi', locale: 'hi' });
  });

  it('accepts unnormalized and deprecated tags, and skips invalid tags', () => {
    expect(chooseLanguage(['pt_BR']).locale).to.equal('pt-BR');
    expect(chooseLanguage(['DE']).locale).to.equal('de');
    expect(chooseLanguage(['iw']).language).to.equal('he');
    expect(chooseLanguage(['', '§', 'ja']).language).to.equal('ja');
  });
});

describe('textDirection', () => {
  it('returns rtl for right-to-left languages, and ltr for other languages', () => {
    expect(['ar-EG', 'ar', 'he-IL', 'fa', 'ur', 'ckb'].map(textDirection)).to.deep.equal(
      Array(6).fill('rtl'),
    );
    expect(
      ['en', 'en-US', 'de-CH', 'ja', '§', 'az', 'hi', 'zh-CN'].map(textDirection),
    ).to.deep.equal(Array(8).fill('ltr'));
  });
});
