import { loadAccount } from './account.ts';
import { startAccountSelect } from './account-select.ts';
import { startDeveloperPanel } from './developer/panel.ts';
import { startPlayground } from './playground/playground.ts';

// Where the links are more than fit, the one of this page is not left out of sight.
document
  .querySelector('nav [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center' });
startAccountSelect();
startPlayground(startDeveloperPanel());
await loadAccount();
