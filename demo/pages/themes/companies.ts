import bank from './bank.css?raw';
import bankUrl from './bank.css?url';
import developer from './developer.css?raw';
import developerUrl from './developer.css?url';
import fashion from './fashion.css?raw';
import fashionUrl from './fashion.css?url';
import hospital from './hospital.css?raw';
import hospitalUrl from './hospital.css?url';
import museum from './museum.css?raw';
import museumUrl from './museum.css?url';
import outdoor from './outdoor.css?raw';
import outdoorUrl from './outdoor.css?url';

/** A fictional company with the style sheet of its theme. */
export interface Company {
  id: string;
  name: string;
  industry: string;
  slogan: string;
  /** Heading of the chat. */
  desk: string;
  monogram: string;
  css: string;
  /** URL of the style sheet. */
  url: string;
}

export const companies: readonly Company[] = [
  {
    id: 'bank',
    name: 'Harbour & Lowe',
    industry: 'Bank',
    slogan: 'Private banking since 1871',
    desk: 'Client desk',
    monogram: 'H&L',
    css: bank,
    url: bankUrl,
  },
  {
    id: 'museum',
    name: 'Tumble',
    industry: 'Museum',
    slogan: 'Please touch everything!',
    desk: 'Ask Tumble',
    monogram: '☻',
    css: museum,
    url: museumUrl,
  },
  {
    id: 'developer',
    name: 'stackyard',
    industry: 'Developer tool',
    slogan: 'Deploys that undo themselves.',
    desk: 'stackyard/help',
    monogram: '>_',
    css: developer,
    url: developerUrl,
  },
  {
    id: 'fashion',
    name: 'Orlé',
    industry: 'Fashion',
    slogan: 'Collection no. 41, Rain',
    desk: 'Orlé',
    monogram: 'O',
    css: fashion,
    url: fashionUrl,
  },
  {
    id: 'hospital',
    name: 'St. Brigid’s',
    industry: 'Hospital',
    slogan: 'How can we help you today?',
    desk: 'St. Brigid’s helper',
    monogram: '✚',
    css: hospital,
    url: hospitalUrl,
  },
  {
    id: 'outdoor',
    name: 'Norrfell',
    industry: 'Outdoor',
    slogan: 'Go further. Come home.',
    desk: 'Base camp',
    monogram: '▲',
    css: outdoor,
    url: outdoorUrl,
  },
];
