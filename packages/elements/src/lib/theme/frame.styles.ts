import { css } from 'lit';
import { token } from './tokens.ts';

/**
 * Styles of the outermost element, `inlay-chat` or `inlay-launcher`. It inherits no style from the
 * page except the typeface that the page sets on this element (`inlay-chat { font-family: inherit }`).
 * Text is in px, because `rem` depends on the page.
 */
export const frame = css`
  :host {
    all: initial;
    visibility: inherit;
    color-scheme: inherit;
    display: block;
    font-family: ${token('font-family')};
    font-size: ${token('font-size')};
    line-height: ${token('line-height')};
  }

  :host([density='compact']) {
    --inlay-density: 0.75;
  }

  :host([density='cosy']) {
    --inlay-density: 1;
  }

  :host([density='roomy']) {
    --inlay-density: 1.25;
  }

  @media (prefers-contrast: more) {
    :host {
      --inlay-contrast: 1;
    }
  }
`;
