import { defineElements } from './lib/tags.ts';

// The types come along, so that `document.createElement('inlay-markdown')` is typed with this alone.
export type * from './index.ts';

defineElements();
