import '@inlay/elements/define';
import { onUserChange } from '../shared/account.ts';
import { codeFigure } from '../shared/code.ts';
import html from './embed.html?raw';

document
  .querySelector('#line')
  ?.replaceWith(codeFigure({ name: 'The line that put this chat here', source: html }));

onUserChange(() => document.querySelector('inlay-chat')?.reset());
