/**
 * The hosted conversation page. The code leaves the address with the first thing that this does, so
 * that whatever comes later (history, a copied address, an error report) never sees it.
 */
import { hostedCode } from '@inlay/client';

const tokens = hostedCode();

const { showPage } = await import('./lib/page.ts');
await showPage(tokens, document.querySelector('#page') ?? document.body);
