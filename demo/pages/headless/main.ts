import './headless.css';
import chatToken from '../../src/host/chat-token.ts?raw';
import { onAccount } from '../shared/account.ts';
import { showCode } from '../shared/code.ts';
import { setPageClient } from '../shared/failures.ts';
import getToken from '../shared/get-token.ts?raw';
import { signInButton } from '../shared/sign-in-offer.ts';
import { entryList, form } from './elements.ts';
import { client } from './embed.ts';
import embed from './embed.ts?raw';
import renderEntry from './render-entry.ts?raw';

setPageClient(client);
const offer = signInButton();
onAccount(({ customer }) => {
  if (customer === null) form.querySelector('div')?.append(offer);
  else offer.remove();
});
// Scrollable regions must be reachable with the keyboard.
entryList.tabIndex = 0;

showCode([
  { name: 'night-desk.ts', source: embed },
  { name: 'render-entry.ts', source: renderEntry },
  { name: 'get-token.ts', source: getToken },
  { name: 'backend/chat-token.ts', source: chatToken },
]);
