import chatToken from '../../src/host/chat-token.ts?raw';
import { showCode } from '../shared/code.ts';
import pageTools from '../shared/page-tools.ts?raw';
import html from './embed.html?raw';
import './embed.ts';
import script from './embed.ts?raw';

showCode([
  { name: 'tonight.html', source: html },
  { name: 'tonight.ts', source: script },
  { name: 'page-tools.ts', source: pageTools },
  { name: 'backend/chat-token.ts', source: chatToken },
]);
