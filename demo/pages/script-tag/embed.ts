import { onPersonChange } from '../shared/account.ts';

// Another person uses this page now: forget all that was said.
onPersonChange(() => document.querySelector('inlay-launcher')?.reset());
