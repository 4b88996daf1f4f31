import { css } from 'lit';
import { token } from './tokens.ts';

/**
 * The outermost element, `inlay-chat` or `inlay-launcher`: nothing of the page's own look comes in,
 * except what the page sets on this very element. So `inlay-chat { font: inherit }` takes the
 * page's typeface, and text is in px, because a page's `rem` can be anything.
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
