import '@inlay/elements/define';
import { onPersonChange } from '../shared/account.ts';
import { getToken } from '../shared/get-token.ts';

const chat = document.querySelector('inlay-chat');
if (chat) {
  chat.getToken = getToken;
  // Another person uses this page now: forget all that was said.
  onPersonChange(() => chat.reset());
}
