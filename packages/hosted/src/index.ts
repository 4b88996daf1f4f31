/**
 * Entry point of the hosted conversation page. Removes the code from the address first, so that it
 * never gets into the browser history, a copied address or an error report.
 */
import { hostedCode } from '@inlay/client';

const tokens = hostedCode();

const { showPage } = await import('./lib/page.ts');
await showPage(tokens, document.querySelector('#page') ?? document.body);
