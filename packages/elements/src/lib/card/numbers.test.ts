import fc from 'fast-check';
import { expect } from '../testing/fixture.ts';
import { readNumber, writeNumber } from './numbers.ts';

describe('readNumber', () => {
  it('parses the notations of several locales', () => {
    expect(readNumber('1,500', 'en')).to.equal(1500);
    expect(readNumber('1,500', 'de')).to.equal(1.5);
    expect(readNumber('1.500', 'de')).to.equal(1500);
    expect(readNumber('1.500', 'fr')).to.equal(1.5);
    expect(readNumber('2,5', 'en')).to.equal(2.5);
    expect(readNumber('1.234.567,8', 'en')).to.equal(1_234_567.8);
    expect(readNumber('1,234,567.8', 'de')).to.equal(1_234_567.8);
    expect(readNumber('12,34,567', 'hi')).to.equal(1_234_567);
    expect(readNumber('1\u202f500', 'fr')).to.equal(1500);
    expect(readNumber('١٬٥٠٠٫٢', 'ar')).to.equal(1500.2);
    expect(readNumber('−３', 'ja')).to.equal(-3);
    expect(readNumber('.5', 'en')).to.equal(0.5);
  });

  it('returns NaN for text that is not a number', () => {
    for (const text of ['', '-', '.', '1e5', '0x10', 'Infinity', '1,2,3', '1.2.3', '12 €', '1-2']) {
      expect(readNumber(text, 'en'), text).to.be.NaN;
    }
  });

  it('parses numbers that writeNumber formatted, in every locale', () => {
    const numbers = fc
      .double({ min: -1e9, max: 1e9, noNaN: true })
      .map((n) => Math.round(n * 1e4) / 1e4);
    const locales = fc.constantFrom(
      'en',
      'de',
      'fr',
      'es',
      'pt-BR',
      'hi',
      'ar-EG',
      'he',
      'zh-CN',
      'de-CH',
    );

    fc.assert(
      fc.property(numbers, locales, (value, locale) => {
        expect(readNumber(writeNumber(value, locale), locale)).to.equal(value === 0 ? 0 : value);
      }),
    );
  });
});
