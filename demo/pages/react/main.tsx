import { createRoot } from 'react-dom/client';
import { showCode } from '../shared/code.ts';
import getToken from '../shared/get-token.ts?raw';
import embed from './embed.tsx?raw';
import { Groups } from './groups.tsx';

const app = document.querySelector('#app');
if (app) createRoot(app).render(<Groups />);

showCode([
  { name: 'night-desk.tsx', source: embed },
  { name: 'get-token.ts', source: getToken },
]);
