import { expect } from '../testing/fixture.ts';
import { duration, sizeOf } from './amounts.ts';
import { format, plural } from './format.ts';
import { english, withStrings } from './strings.ts';
import { resetTime, timeOf } from './times.ts';

describe('strings', () => {
  it('are English unless they are overridden', () => {
    const strings = withStrings({ send: 'Senden' });

    expect(strings.send).to.equal('Senden');
    expect(strings.stop).to.equal(english.stop);
  });

  it('are not changed by overrides with unknown keys', () => {
    const strings = withStrings(JSON.parse('{"__proto__": {"send": "x"}, "unheardOf": "y"}'));

    expect(strings).to.deep.equal(english);
  });
});

describe('format', () => {
  it('replaces placeholders, and keeps placeholders without a value', () => {
    expect(format('{a} and {b} and {constructor}', { a: 1, b: '{a}' })).to.equal(
      '1 and {a} and {constructor}',
    );
  });

  it('isolates values of another text direction', () => {
    expect(format('שלום {agent}!', { agent: 'Ada' })).to.equal('שלום \u2068Ada\u2069!');
    expect(format('Chat with {agent}.', { agent: 'עדה' })).to.equal('Chat with \u2068עדה\u2069.');
    expect(format('שלום {agent}!', { agent: 'עדה Ada' })).to.equal('שלום \u2068עדה Ada\u2069!');
    expect(format('שלום {agent}!', { agent: 'עדה' })).to.equal('שלום עדה!');
    expect(format('Chat with {agent}.', { agent: 'Ada' })).to.equal('Chat with Ada.');
  });
});

describe('plural', () => {
  it('selects the form by the rules of the language', () => {
    const polish = withStrings({ locale: 'pl' });
    const forms = { one: '{count} plik', few: '{count} pliki', other: '{count} plików' };

    expect([1, 3, 5].map((count) => plural(polish, forms, count))).to.deep.equal([
      '1 plik',
      '3 pliki',
      '5 plików',
    ]);
  });
});

describe('duration', () => {
  it('formats minutes and seconds', () => {
    expect(duration(english, 20)).to.equal('1 s');
    expect(duration(english, 4200)).to.equal('4 s');
    expect(duration(english, 125_000)).to.equal('2 min 5 s');
    expect(duration(english, 120_000)).to.equal('2 min');
    expect(duration(withStrings({ locale: 'ja' }), 125_000)).to.match(/^2\s?分\s?5\s?秒$/);
    expect(duration(withStrings({ locale: 'ar' }), 125_000)).to.contain(' و');
  });
});

describe('sizeOf', () => {
  it('formats bytes in the units of the language', () => {
    expect(sizeOf(english, 2_500_000)).to.equal('2.5 MB');
    expect(sizeOf(withStrings({ locale: 'fr' }), 2_500_000)).to.match(/^2,5\sMo$/);
  });
});

describe('resetTime', () => {
  it('includes the weekday and the date', () => {
    const noon = new Date(2026, 2, 1, 12, 5).getTime();

    expect(resetTime(withStrings({ locale: 'de' }), noon)).to.match(
      /^Sonntag, 1\. März(,| um) 12:05$/,
    );
  });
});

describe('timeOf', () => {
  it('includes the day only if it is not today', () => {
    const noon = new Date(2026, 2, 1, 12, 5).getTime();

    expect(timeOf(english, noon, noon + 1000)).to.equal('12:05 PM');
    expect(timeOf(english, noon, noon + 86_400_000)).to.contain('Mar 1');
  });
});
