import { createRoot } from 'react-dom/client';
import chatToken from '../../src/host/chat-token.ts?raw';
import { showCode } from '../shared/code.ts';
import getToken from '../shared/get-token.ts?raw';
import pageTools from '../shared/page-tools.ts?raw';
import embed from './embed.tsx?raw';
import { Groups } from './groups.tsx';

const app = document.querySelector('#app');
if (app) createRoot(app).render(<Groups />);

showCode([
  { name: 'night-desk.tsx', source: embed },
  { name: 'get-token.ts', source: getToken },
  { name: 'page-tools.ts', source: pageTools },
  { name: 'backend/chat-token.ts', source: chatToken },
]);
