/** What the stand-in of `inlay.js` has in common with the launcher that takes its place. */
export { bubbleStyles } from './lib/launcher/bubble.styles.ts';
export * from './lib/launcher/mover.ts';
export * from './lib/launcher/place.ts';
export * from './lib/launcher/visit.ts';
export { schemeFor } from './lib/theme/scheme.ts';
export { token } from './lib/theme/tokens.ts';
