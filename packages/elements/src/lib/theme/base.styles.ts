import { css } from 'lit';
import { token } from './tokens.ts';

/** What every element shares: resets of native controls, focus, icons, motion. */
export const base = css`
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

  :focus-visible {
    outline: 2px solid ${token('color-accent-text')};
    outline-offset: 2px;
  }

  svg {
    display: block;
    flex: none;
    inline-size: 20px;
    block-size: 20px;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .solid {
    fill: currentcolor;
    stroke: none;
  }

  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @media (forced-colors: active) {
    svg {
      forced-color-adjust: auto;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    ::before,
    ::after {
      animation-duration: 0s !important;
      animation-iteration-count: 1 !important;
      transition: none !important;
    }
  }
`;

/** Buttons: `icon-button`, and `button` with `primary` for the one way on. */
export const buttons = css`
  .icon-button {
    display: grid;
    place-items: center;
    inline-size: 32px;
    block-size: 32px;
    border-radius: ${token('radius-small')};
    color: ${token('color-text-muted')};
    transition: background ${token('duration-fast')}, color ${token('duration-fast')};
  }

  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: ${token('space-2')};
    min-block-size: 32px;
    padding-inline: ${token('space-3')};
    border: 1px solid ${token('color-border-strong')};
    border-radius: ${token('radius-small')};
    background: ${token('color-surface-raised')};
    color: ${token('color-text')};
    font-size: ${token('font-size-small')};
    font-weight: 550;
    transition: background ${token('duration-fast')}, border-color ${token('duration-fast')};
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

  /* On a touch screen, what was tapped would stay lit. */
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
      inline-size: 44px;
      block-size: 44px;
    }

    .button {
      min-block-size: 44px;
      padding-inline: ${token('space-4')};
    }
  }

  @media (forced-colors: active) {
    .icon-button {
      border: 1px solid transparent;
    }

    .button,
    .button.primary {
      border-color: ButtonBorder;
    }
  }
`;
