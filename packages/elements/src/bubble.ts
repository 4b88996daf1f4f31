/** Modules that the bubble of `inlay.js` shares with the launcher that replaces it. */
export { chatPath, closePath } from './lib/icons/paths.ts';
export { bubbleStyles } from './lib/launcher/bubble.styles.ts';
export { keepClear } from './lib/launcher/keep-clear.ts';
export * from './lib/launcher/mover.ts';
export * from './lib/launcher/place.ts';
export * from './lib/launcher/visit.ts';
export { isOn } from './lib/options/is-on.ts';
export { schemeFor } from './lib/theme/scheme.ts';
export { token } from './lib/theme/tokens.ts';
