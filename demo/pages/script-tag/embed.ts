import { onUserChange } from '../shared/account.ts';
import { pageTools } from '../shared/page-tools.ts';

const launcher = () => document.querySelector('inlay-launcher');

// The launcher replaces the bubble when the user opens the chat.
addEventListener('inlay-ready', () => launcher()?.configure({ tools: pageTools }));
// Another user has signed in: drop the data of the previous user.
onUserChange(() => launcher()?.reset());
