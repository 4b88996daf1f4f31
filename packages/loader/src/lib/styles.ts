import { bubbleStyles, token } from '@inlay/elements/bubble';

/** The first of the theme's typefaces, which every browser has: the others would weigh too much. */
const font = `${token('font-size')}/${token('line-height')} var(--inlay-font-family, system-ui)`;

/**
 * The launcher's own style sheet, with the little that it takes from elsewhere. The build works this
 * file out and puts the text in its place: the table of tokens would be half of what a page loads.
 */
export const styles = `${bubbleStyles.cssText}
* { box-sizing: border-box; }
:host { display: contents !important; }
.layer { font: ${font}; }
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
