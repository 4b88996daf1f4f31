import '@inlay/elements/define';
import { onUserChange } from '../shared/account.ts';
import { codeBlock } from '../shared/code.ts';
import html from './embed.html?raw';

document
  .querySelector('#embed-code')
  ?.replaceWith(codeBlock({ name: 'The HTML of this chat', source: html }));

onUserChange(() => document.querySelector('inlay-chat')?.reset());
