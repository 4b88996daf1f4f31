import { onUserChange } from '../shared/account.ts';
import { pageTools } from '../shared/page-tools.ts';

const launcher = () => document.querySelector('inlay-launcher');

// The script shows a button until the chat is opened, and then replaces it with `inlay-launcher`.
addEventListener('inlay-ready', () => launcher()?.configure({ tools: pageTools }));
// Another user has signed in: drop the data of the previous user.
onUserChange(() => launcher()?.reset());
