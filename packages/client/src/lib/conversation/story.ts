/** What only some conversations hold, and how an old one is read. Loaded when it is wanted. */
export { answerCard, confirmationOf } from './agent-asks.ts';
export { inPlaceOf } from './in-place-of.ts';
export { loadHistory } from './load-history.ts';
export { learnRatings, rate } from './ratings.ts';
export { reduce } from './reducer.ts';
