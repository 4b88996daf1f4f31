import { loadAccount } from './account.ts';
import { startAccountSelect } from './account-select.ts';
import { startDeveloperPanel } from './developer/panel.ts';
import { startInspector } from './playground/inspector.ts';
import { startPlayground } from './playground/playground.ts';
import { startSignInOffer } from './sign-in-offer.ts';

// Scrolls the navigation to the link to this page.
document
  .querySelector('nav [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center' });
if (new URLSearchParams(location.search).has('inspect')) void startInspector();
startAccountSelect();
startSignInOffer();
startPlayground(startDeveloperPanel());
await loadAccount();
