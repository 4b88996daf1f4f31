import { loadAccount } from './account.ts';
import { startAccountSelect } from './account-select.ts';
import { startDeveloperPanel } from './developer/panel.ts';
import { startPlayground } from './playground/playground.ts';
import { startSignInOffer } from './sign-in-offer.ts';

// Where the links are more than fit, the one of this page is not left out of sight.
document
  .querySelector('nav [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center' });
startAccountSelect();
startSignInOffer();
startPlayground(startDeveloperPanel());
await loadAccount();
