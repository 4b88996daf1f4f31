import { chatTags } from './lib/chat-tags.ts';
import { register } from './lib/register.ts';

// The types are exported as well, so that `document.createElement('inlay-chat')` is typed with this import alone.
export type * from './index.ts';
export { allowOrigins } from './lib/options/allowed-origins.ts';

register(chatTags);
