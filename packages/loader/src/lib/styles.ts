import { bubbleStyles, token } from '@inlay/elements/bubble';

/** Has only the first font family of the theme, which every browser supports, to save bytes. */
const fontShorthand = `${token('font-size')}/${token('line-height')} var(--inlay-font-family, system-ui)`;

/**
 * The style sheet of the bubble: the styles that the launcher's bubble has, and base styles. The build
 * evaluates this module and passes the string to `start`, to keep the table of design tokens out of
 * `inlay.js`.
 */
export const styles = `${bubbleStyles.cssText}
* { box-sizing: border-box; }
:host { display: contents !important; }
.layer { font: ${fontShorthand}; }
button { all: unset; cursor: pointer; -webkit-tap-highlight-color: transparent; }
button:focus-visible { outline: 2px solid; outline-offset: 2px; }
.bubble:focus-visible { outline-color: var(--inlay-color-accent); }
svg {
  display: block;
  fill: none;
  stroke: currentcolor;
  stroke-width: 1.75;
  stroke-linecap: round;
  stroke-linejoin: round;
}
[aria-busy='true'] svg { opacity: 0.4; }
@media (prefers-reduced-motion: reduce) {
  * { animation: none !important; transition: none !important; }
}
`;
