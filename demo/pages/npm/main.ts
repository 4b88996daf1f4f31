import './embed.ts';
import chatToken from '../../src/host/chat-token.ts?raw';
import { showCode } from '../shared/code.ts';
import getToken from '../shared/get-token.ts?raw';
import pageTools from '../shared/page-tools.ts?raw';
import html from './embed.html?raw';
import script from './embed.ts?raw';

showCode([
  { name: 'my-journey.html', source: html },
  { name: 'my-journey.ts', source: script },
  { name: 'get-token.ts', source: getToken },
  { name: 'page-tools.ts', source: pageTools },
  { name: 'backend/chat-token.ts', source: chatToken },
]);
