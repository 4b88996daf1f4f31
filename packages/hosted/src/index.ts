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

/**
 * Waits before the page's module is loaded again, in milliseconds. A reload would not help, because the
 * address no longer contains the code, which is valid for a minute.
 */
const retryDelays = [500, 2_000, 5_000, 10_000, 20_000];

async function loadPage() {
  for (const wait of retryDelays) {
    try {
      return await import('./lib/page.ts');
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return import('./lib/page.ts');
}

const { showPage } = await loadPage();
await showPage(tokens, document.querySelector('#page') ?? document.body);
