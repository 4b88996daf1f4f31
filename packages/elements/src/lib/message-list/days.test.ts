import { english } from '../i18n/all-strings.ts';
import { expect } from '../testing/fixture.ts';
import { nameOfDay } from './days.ts';

const now = new Date(2026, 2, 10, 12).getTime();
const inLanguage = (locale: string, day: number) =>
  nameOfDay({ ...english, locale }, new Date(2026, 2, day, 9).getTime(), now);

describe('nameOfDay', () => {
  it('returns capitalized, localized names of today and yesterday', () => {
    expect([inLanguage('en', 10), inLanguage('en', 9)]).to.deep.equal(['Today', 'Yesterday']);
    expect([inLanguage('de', 10), inLanguage('de', 9)]).to.deep.equal(['Heute', 'Gestern']);
    expect([inLanguage('ar', 10), inLanguage('ja', 9)]).to.deep.equal(['اليوم', '昨日']);
  });

  it('capitalizes a date if the script has capitals', () => {
    expect(inLanguage('es', 2)).to.equal('Lunes, 2 de marzo');
    expect(inLanguage('fr', 2)).to.equal('Lundi 2 mars');
  });

  it('includes the year if it is not the current year', () => {
    const earlier = new Date(2025, 2, 3).getTime();

    expect(nameOfDay({ ...english, locale: 'de' }, earlier, now)).to.equal('Montag, 3. März 2025');
  });
});
