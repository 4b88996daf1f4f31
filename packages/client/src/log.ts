export { entriesOf } from './lib/conversation/entries-of.ts';
export type * from './lib/conversation/state.ts';
