import { loadAccount } from './account.ts';
import { startAccountSelect } from './account-select.ts';
import { startDeveloperPanel } from './developer/panel.ts';
import { startPlayground } from './playground/playground.ts';
import { startSignInOffer } from './sign-in-offer.ts';

// Scrolls the link of this page into view, if there is no room for all links.
document
  .querySelector('nav [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center' });
startAccountSelect();
startSignInOffer();
startPlayground(startDeveloperPanel());
await loadAccount();
