/**
 * Entry point of the hosted conversation page. Removes the code from the address before the page's
 * module is loaded, so that the code does not get into a copied address or an error report.
 */
import { hostedCode } from '@inlay/client';

const tokens = hostedCode();

const { showPage } = await import('./lib/page.ts');
await showPage(tokens, document.querySelector('#page') ?? document.body);
