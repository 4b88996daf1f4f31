import './desk.css';
import configuration from '../../inlay.config.ts?raw';
import tools from '../../src/agent/tools.ts?raw';
import mentions from '../../src/host/mentions.ts?raw';
import { onAccount } from '../shared/account.ts';
import { showCode } from '../shared/code.ts';
import pageTools from '../shared/page-tools.ts?raw';
import html from './embed.html?raw';
import { chat } from './embed.ts';
import script from './embed.ts?raw';
import { renderExamples } from './render-examples.ts';

const examples = document.querySelector('#examples');
if (chat && examples) renderExamples(examples, chat);
// The buttons need a signed-in user.
onAccount(({ customer }) => {
  for (const button of examples?.querySelectorAll('button') ?? [])
    button.disabled = customer === null;
});

showCode([
  { name: 'night-desk.html', source: html },
  { name: 'night-desk.ts', source: script },
  { name: 'page-tools.ts', source: pageTools },
  { name: 'backend/mentions.ts', source: mentions },
  { name: 'platform/inlay.config.ts', source: configuration },
  { name: 'platform/tools.ts', source: tools },
]);
