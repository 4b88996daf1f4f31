import { allowOrigins } from '@inlay/elements/define-chat';
import { onUserChange } from '../shared/account.ts';
import { codeBlock } from '../shared/code.ts';
import { platform } from '../shared/platform.ts';
import html from './embed.html?raw';

// Lets attributes name the platform, which has another origin.
allowOrigins(platform);

document
  .querySelector('#embed-code')
  ?.replaceWith(codeBlock({ name: 'The HTML of this chat', source: html }));

onUserChange(() => document.querySelector('inlay-chat')?.reset());
