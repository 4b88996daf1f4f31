import './embed.ts';
import configuration from '../../inlay.config.ts?raw';
import { showCode } from '../shared/code.ts';
import html from './embed.html?raw';
import script from './embed.ts?raw';

showCode([
  { name: 'lounge.html', source: html },
  { name: 'lounge.ts', source: script },
  { name: 'platform/inlay.config.ts', source: configuration },
]);
