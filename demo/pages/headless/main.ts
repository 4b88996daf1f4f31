import './headless.css';
import chatToken from '../../src/host/chat-token.ts?raw';
import { showCode } from '../shared/code.ts';
import { offerToDeveloper } from '../shared/developer/target.ts';
import getToken from '../shared/get-token.ts?raw';
import drawEntry from './draw-entry.ts?raw';
import { client } from './embed.ts';
import embed from './embed.ts?raw';
import { entryList } from './parts.ts';

offerToDeveloper(client);
// What scrolls must be reachable with the keyboard.
entryList.tabIndex = 0;

showCode([
  { name: 'night-desk.ts', source: embed },
  { name: 'draw-entry.ts', source: drawEntry },
  { name: 'get-token.ts', source: getToken },
  { name: 'backend/chat-token.ts', source: chatToken },
]);
