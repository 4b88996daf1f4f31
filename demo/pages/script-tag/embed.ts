import { onUserChange } from '../shared/account.ts';
import { pageTools } from '../shared/page-tools.ts';

const launcher = () => document.querySelector('inlay-launcher');

// When the chat is first opened, the script replaces its button with `inlay-launcher`.
addEventListener('inlay-ready', () => launcher()?.configure({ tools: pageTools }));
// After another user has signed in, drops the data of the previous user.
onUserChange(() => launcher()?.reset());
