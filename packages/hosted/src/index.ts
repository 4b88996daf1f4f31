/**
 * Entry point of the hosted conversation page. Removes the code from the address before the page's
 * module is loaded, so that the code does not get into a copied address or an error report.
 */
import { hostedCode } from '@inlay/client';

const tokens = hostedCode();

// A new link in the address of this page changes only the fragment, and the browser does not load it.
addEventListener('hashchange', () => {
  if (/[#&]c=/.test(location.hash)) location.reload();
});

const { showPage } = await import('./lib/page.ts');
await showPage(tokens, document.querySelector('#page') ?? document.body);
