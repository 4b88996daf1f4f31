/** What a conversation holds, and how it is read. Loaded as soon as there is a conversation. */
export { SessionStream } from '../stream/session-stream.ts';
export { readEvent } from '../wire/read-event.ts';
export { answerCard, confirmationOf } from './agent-asks.ts';
export { inPlaceOf } from './in-place-of.ts';
export { loadHistory } from './load-history.ts';
export { learnRatings, rate } from './ratings.ts';
export { reduce } from './reducer.ts';
