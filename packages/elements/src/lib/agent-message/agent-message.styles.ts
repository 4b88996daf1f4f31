import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    position: relative;
  }

  inlay-markdown {
    max-inline-size: ${token('measure')};
  }

  /* While its file is on the way: the text as it was written. */
  inlay-markdown:not(:defined) {
    display: block;
    color: ${token('color-text')};
    font: ${token('font-size')} / ${token('line-height')} ${token('font-family')};
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .actions {
    display: var(--inlay-actions-display, flex);
    align-items: center;
    gap: 2px;
    min-block-size: ${token('control-size')};
    margin-block-start: ${token('space-1')};
    margin-inline-start: -6px;
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-tiny')};
  }

  .actions svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
  }

  .quiet {
    display: flex;
    align-items: center;
    gap: 2px;
    opacity: var(--inlay-actions-opacity, 0);
    transition: opacity ${token('duration-fast')};
  }

  :host(:hover) .quiet,
  :host(:focus-within) .quiet,
  .quiet.rated {
    opacity: 1;
  }

  .icon-button[aria-pressed='true'] {
    color: ${token('color-accent-text')};
  }

  .icon-button[aria-pressed='true'] svg {
    fill: ${token('color-accent-soft')};
  }

  .done {
    color: ${token('color-success')};
  }

  .text-button {
    min-block-size: 28px;
    padding-inline: ${token('space-2')};
    border-radius: ${token('radius-small')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .text-button:hover {
    background: ${token('color-surface-soft')};
    color: ${token('color-text')};
  }

  inlay-feedback,
  .thanks {
    margin-block: ${token('space-2')} 0;
  }

  .thanks {
    display: flex;
    align-items: center;
    gap: ${token('space-1')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .thanks svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    color: ${token('color-success')};
  }

  .quote {
    position: absolute;
    z-index: 1;
    display: flex;
    align-items: center;
    gap: ${token('space-1')};
    min-block-size: ${token('control-size')};
    padding-inline: ${token('space-2')} ${token('space-3')};
    border: 1px solid ${token('color-border-strong')};
    border-radius: ${token('radius-full')};
    background: ${token('color-surface-raised')};
    box-shadow: ${token('shadow-raised')};
    font-size: ${token('font-size-small')};
    font-weight: ${token('font-weight-medium')};
    animation: arrive ${token('duration-fast')} ${token('easing')};
  }

  .quote svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    color: ${token('color-accent-text')};
  }

  @keyframes arrive {
    from {
      opacity: 0;
    }
  }

  time {
    margin-inline-start: ${token('space-2')};
  }

  .ended {
    display: inline-flex;
    align-items: center;
    gap: ${token('space-1')};
    margin-block-start: ${token('space-2')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .ended svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
  }

  @media (pointer: coarse) {
    .quote,
    .text-button {
      min-block-size: ${token('touch-size')};
    }
  }

  @media (hover: none) {
    .quiet {
      opacity: 1;
    }
  }
`;
