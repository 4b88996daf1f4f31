import { defineChat } from './lib/first-tags.ts';

// The types come along, so that `document.createElement('inlay-chat')` is typed with this alone.
export type * from './index.ts';

defineChat();
