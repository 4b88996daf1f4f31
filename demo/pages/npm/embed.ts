import '@inlay/elements/define';
import { onPersonChange } from '../shared/account.ts';
import { getToken } from '../shared/get-token.ts';
import { pageTools } from '../shared/page-tools.ts';

const chat = document.querySelector('inlay-chat');
if (chat) {
  chat.getToken = getToken;
  // What the agent can have done in this page.
  chat.tools = pageTools;
  // Another person uses this page now: forget all that was said.
  onPersonChange(() => chat.reset());
}
