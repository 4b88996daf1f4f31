import './embed.ts';
import { showCode } from '../shared/code.ts';
import pageTools from '../shared/page-tools.ts?raw';
import html from './embed.html?raw';
import script from './embed.ts?raw';

showCode([
  { name: 'timetable.html', source: html },
  { name: 'timetable.ts', source: script },
  { name: 'page-tools.ts', source: pageTools },
]);
