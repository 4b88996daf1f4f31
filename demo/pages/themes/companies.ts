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
  trade: string;
  /** Text of its page. */
  claim: string;
  /** Heading of the chat, and its icon. */
  desk: string;
  sign: string;
  css: string;
  url: string;
}

export const companies: readonly Company[] = [
  {
    id: 'bank',
    name: 'Harbour & Lowe',
    trade: 'A bank',
    claim: 'Private banking since 1871',
    desk: 'Client desk',
    sign: 'H&L',
    css: bank,
    url: bankUrl,
  },
  {
    id: 'museum',
    name: 'Tumble',
    trade: 'A children’s museum',
    claim: 'Please touch everything!',
    desk: 'Ask Tumble',
    sign: '☻',
    css: museum,
    url: museumUrl,
  },
  {
    id: 'developer',
    name: 'stackyard',
    trade: 'A developer tool',
    claim: 'Deploys that undo themselves.',
    desk: 'stackyard/help',
    sign: '>_',
    css: developer,
    url: developerUrl,
  },
  {
    id: 'fashion',
    name: 'Orlé',
    trade: 'A fashion house',
    claim: 'Collection no. 41, Rain',
    desk: 'Orlé',
    sign: 'O',
    css: fashion,
    url: fashionUrl,
  },
  {
    id: 'hospital',
    name: 'St. Brigid’s',
    trade: 'A hospital',
    claim: 'How can we help you today?',
    desk: 'St. Brigid’s helper',
    sign: '✚',
    css: hospital,
    url: hospitalUrl,
  },
  {
    id: 'outdoor',
    name: 'Norrfell',
    trade: 'An outdoor brand',
    claim: 'Go further. Come home.',
    desk: 'Base camp',
    sign: '▲',
    css: outdoor,
    url: outdoorUrl,
  },
];
