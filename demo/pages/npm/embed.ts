import { allowOrigins } from '@inlay/elements/define';
import { onUserChange } from '../shared/account.ts';
import { getToken } from '../shared/get-token.ts';
import { pageTools } from '../shared/page-tools.ts';
import { platform } from '../shared/platform.ts';

// Lets attributes name the platform, which has another origin.
allowOrigins(platform);

const chat = document.querySelector('inlay-chat');
if (chat) {
  chat.getToken = getToken;
  // Tools that the agent can call in this page.
  chat.tools = pageTools;
  // After another user has signed in, drops the data of the previous user.
  onUserChange(() => chat.reset());
}
