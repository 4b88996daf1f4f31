import { english } from '../i18n/all-strings.ts';
import { expect } from '../testing/fixture.ts';
import { relativeDate } from './relative-date.ts';

describe('relativeDate', () => {
  const now = new Date(2026, 4, 15, 12).getTime();
  const cases: [string, Date, string][] = [
    ['today as the time of day', new Date(2026, 4, 15, 9, 5), '9:05 AM'],
    ['yesterday as the time of day', new Date(2026, 4, 14, 23, 59), '11:59 PM'],
    ['a day within the last week as the weekday', new Date(2026, 4, 11, 8), 'Monday'],
    ['a day of this year as month and day', new Date(2026, 1, 3), 'Feb 3'],
    ['a day of another year with the year', new Date(2025, 11, 31), 'Dec 31, 2025'],
    ['a time in the future as the time of day', new Date(2026, 4, 15, 23), '11:00 PM'],
  ];
  for (const [description, date, expected] of cases) {
    it(`formats ${description}`, () => {
      const formatted = relativeDate(english, date.getTime(), now);
      expect(formatted.replace(/\u202f/g, ' ')).to.equal(expected);
    });
  }

  it('uses the language of the strings', () => {
    const monday = new Date(2026, 4, 11, 10).getTime();
    expect(relativeDate({ ...english, locale: 'de' }, monday, now)).to.equal('Montag');
  });
});
