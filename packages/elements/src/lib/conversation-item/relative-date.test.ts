import { english } from '../i18n/strings.ts';
import { expect } from '../testing/fixture.ts';
import { relativeDate } from './relative-date.ts';

describe('relativeDate', () => {
  const now = new Date(2026, 4, 15, 12).getTime();
  const cases: [string, Date, string][] = [
    ['the time of day for today', new Date(2026, 4, 15, 9, 5), '9:05 AM'],
    ['yesterday in a word, also a few hours ago', new Date(2026, 4, 14, 23, 59), 'yesterday'],
    ['the weekday within a week', new Date(2026, 4, 11, 8), 'Monday'],
    ['the day of the month in this year', new Date(2026, 1, 3), 'Feb 3'],
    ['the year as well in another', new Date(2025, 11, 31), 'Dec 31, 2025'],
    ['the time of day for a clock that is ahead', new Date(2026, 4, 15, 23), '11:00 PM'],
  ];
  for (const [description, date, expected] of cases) {
    it(`formats ${description}`, () => {
      const formatted = relativeDate(english, date.getTime(), now);
      expect(formatted.replace(/\u202f/g, ' ')).to.equal(expected);
    });
  }

  it('uses the language of the strings', () => {
    const yesterday = new Date(2026, 4, 14, 10).getTime();
    expect(relativeDate({ ...english, locale: 'de' }, yesterday, now)).to.equal('gestern');
  });
});
