import { defineElements } from './lib/all-tags.ts';

// The types are exported as well, so that `document.createElement('inlay-markdown')` is typed with this import alone.
export type * from './index.ts';
export { allowOrigins } from './lib/options/allowed-origins.ts';

defineElements();
