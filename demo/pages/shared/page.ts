import { loadAccount } from './account.ts';
import { startAccountSelect } from './account-select.ts';
import { openInspector, startFailures } from './failures.ts';
import { startSignInOffer } from './sign-in-offer.ts';

// Scrolls the navigation to the link to this page.
document
  .querySelector('nav [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center' });
if (new URLSearchParams(location.search).has('inspect')) void openInspector();
startAccountSelect();
startSignInOffer();
startFailures();
await loadAccount();
