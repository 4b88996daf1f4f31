import { expect } from '../testing/fixture.ts';
import { english } from './all-strings.ts';
import { duration, sizeOf } from './amounts.ts';
import { format, plural } from './format.ts';
import { withStrings } from './strings.ts';
import { resetTime, timeOf } from './times.ts';

describe('strings', () => {
  it('are English unless they are overridden', () => {
    const strings = withStrings({ send: 'Senden' }, english);

    expect(strings.send).to.equal('Senden');
    expect(strings.stop).to.equal(english.stop);
  });

  it('include those that are added to the table later', () => {
    const table = { ...english };
    const strings = withStrings({ send: 'Senden' }, table);
    Object.assign(table, { stop: 'Added' });

    expect(strings.stop).to.equal('Added');
  });

  it('are not changed by overrides with unknown keys or without a value', () => {
    const overrides = { ...JSON.parse('{"__proto__": {"send": "x"}}'), stop: undefined };
    const strings = withStrings(overrides, english);

    expect(strings.send).to.equal(english.send);
    expect(strings.stop).to.equal(english.stop);
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
    const polish = { ...english, locale: 'pl' };
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
    expect(duration({ ...english, locale: 'ja' }, 125_000)).to.match(/^2\s?分\s?5\s?秒$/);
    expect(duration({ ...english, locale: 'ar' }, 125_000)).to.contain(' و');
  });
});

describe('sizeOf', () => {
  it('formats bytes in the units of the language', () => {
    expect(sizeOf(english, 2_500_000)).to.equal('2.5 MB');
    expect(sizeOf({ ...english, locale: 'fr' }, 2_500_000)).to.match(/^2,5\sMo$/);
  });
});

describe('resetTime', () => {
  it('includes the weekday and the date', () => {
    const noon = new Date(2026, 2, 1, 12, 5).getTime();

    expect(resetTime({ ...english, locale: 'de' }, noon)).to.match(
      /^Sonntag, 1\. März(,| um) 12:05$/,
    );
  });

  it('names today and tomorrow, in the order of the language', () => {
    const time = new Date(2026, 2, 2).getTime();
    const inLanguage = (locale: string, now: number) =>
      resetTime({ ...english, locale }, time, now).replaceAll(/\s/g, ' ');

    expect(inLanguage('en', time - 1)).to.match(/^tomorrow(,| at) 12:00 AM$/);
    expect(inLanguage('en', time)).to.match(/^today(,| at) 12:00 AM$/);
    expect(inLanguage('ja', time - 1)).to.match(/^明日 ?0:00$/);
    expect(inLanguage('en', time - 90_000_000)).to.contain('March 2');
  });
});

describe('timeOf', () => {
  it('includes the day only if it is not today', () => {
    const noon = new Date(2026, 2, 1, 12, 5).getTime();

    expect(timeOf(english, noon, noon + 1000)).to.equal('12:05 PM');
    expect(timeOf(english, noon, noon + 86_400_000)).to.contain('Mar 1');
  });
});
