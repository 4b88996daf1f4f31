import './embed.ts';
import { showCode } from '../shared/code.ts';
import html from './embed.html?raw';
import script from './embed.ts?raw';

showCode([
  { name: 'timetable.html', source: html },
  { name: 'timetable.ts', source: script },
]);
