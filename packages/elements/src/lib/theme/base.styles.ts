import { css } from 'lit';
import { token } from './tokens.ts';

/** Disables animations and transitions if the user prefers reduced motion. */
export const reducedMotion = css`
  @media (prefers-reduced-motion: reduce) {
    *,
    ::before,
    ::after {
      animation-duration: 0s !important;
      animation-iteration-count: 1 !important;
      scroll-behavior: auto !important;
      transition: none !important;
    }
  }
`;

const sharedStyles = css`
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }

  :host {
    display: block;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  button {
    appearance: none;
    margin: 0;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    letter-spacing: inherit;
    text-align: inherit;
    cursor: pointer;
    touch-action: manipulation;
    -webkit-tap-highlight-color: transparent;
  }

  button:disabled {
    cursor: default;
  }

  button:active:enabled {
    opacity: 0.75;
    scale: 0.98;
  }

  :focus-visible {
    outline: 2px solid ${token('color-focus')};
    outline-offset: 2px;
  }

  svg {
    display: block;
    flex: none;
    inline-size: ${token('icon-size')};
    block-size: ${token('icon-size')};
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  /* Icons of all sizes have the same line. The bubble's icons have the line that the script tag draws. */
  path:where(:not(.layer *)) {
    stroke-width: 1.5;
    vector-effect: non-scaling-stroke;
  }

  .solid {
    fill: currentcolor;
    stroke: none;
  }

  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: 0;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @media (forced-colors: active) {
    :focus-visible {
      outline-color: Highlight;
    }

    svg {
      forced-color-adjust: auto;
    }

    /* Browsers give a summary the system colour of links. */
    summary {
      color: CanvasText;
    }
  }
`;

/** Styles shared by all elements: resets of native controls, focus ring, icons, reduced motion. */
export const base = [sharedStyles, reducedMotion];

/** Styles of the classes `icon-button` and `button`; `primary` marks the main action. */
export const buttons = css`
  .icon-button {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: ${token('control-size')};
    block-size: ${token('control-size')};
    border-radius: ${token('radius-small')};
    color: ${token('color-text-muted')};
    transition:
      background ${token('duration-fast')},
      color ${token('duration-fast')};
  }

  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: ${token('space-2')};
    min-block-size: ${token('control-size')};
    padding-inline: ${token('space-3')};
    border: 1px solid ${token('color-border-control')};
    border-radius: ${token('radius-small')};
    background: ${token('color-surface-raised')};
    color: ${token('color-text')};
    font-size: ${token('font-size-small')};
    font-weight: ${token('font-weight-medium')};
    transition:
      background ${token('duration-fast')},
      border-color ${token('duration-fast')};
  }

  .button.quiet {
    border-color: transparent;
    background: none;
    color: ${token('color-text-muted')};
  }

  .button.primary {
    border-color: transparent;
    background: ${token('color-accent')};
    color: ${token('color-on-accent')};
  }

  /* On a touch screen, the hover style would stay after a tap. */
  @media (hover: hover) {
    .icon-button:hover {
      background: ${token('color-surface-soft')};
      color: ${token('color-text')};
    }

    .button:hover {
      background: ${token('color-surface-soft')};
    }

    .button.primary:hover {
      background: ${token('color-accent-hover')};
    }
  }

  @media (pointer: coarse) {
    .icon-button {
      inline-size: ${token('touch-size')};
      block-size: ${token('touch-size')};
    }

    .button {
      min-block-size: ${token('touch-size')};
      padding-inline: ${token('space-4')};
    }
  }

  /* Forced colours remove the backgrounds that distinguish buttons, so they get borders. */
  @media (forced-colors: active) {
    .icon-button {
      border: 1px solid transparent;
    }

    .icon-button:hover,
    .icon-button[aria-pressed='true'] {
      border-color: Highlight;
    }

    .button,
    .button.quiet {
      border-color: ButtonBorder;
    }

    .button.primary:not(:disabled) {
      border-color: Highlight;
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }

    .button.primary:not(:disabled):hover {
      border-color: HighlightText;
    }

    :is(.button, .icon-button):disabled {
      border-color: GrayText;
      color: GrayText;
    }
  }
`;
