import { onPersonChange } from '../shared/account.ts';
import { pageTools } from '../shared/page-tools.ts';

const launcher = () => document.querySelector('inlay-launcher');

// The launcher takes the place of the bubble when somebody wants the chat.
addEventListener('inlay-ready', () => launcher()?.configure({ tools: pageTools }));
// Another person uses this page now: forget all that was said.
onPersonChange(() => launcher()?.reset());
