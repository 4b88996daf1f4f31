/** Modules that the bubble of `inlay.js` shares with the launcher that replaces it. */
export { bubbleStyles } from './lib/launcher/bubble.styles.ts';
export * from './lib/launcher/mover.ts';
export * from './lib/launcher/place.ts';
export * from './lib/launcher/visit.ts';
export { isOn } from './lib/options/is-on.ts';
export { schemeFor } from './lib/theme/scheme.ts';
export { token } from './lib/theme/tokens.ts';
