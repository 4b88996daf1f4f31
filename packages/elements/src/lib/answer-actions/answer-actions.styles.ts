import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    position: relative;
  }

  /* Only the row of the last message takes up space. The other rows overlap the gap before the next message. */
  .actions {
    position: var(--inlay-actions-position, absolute);
    z-index: 1;
    margin-inline-start: -8px;
  }

  .actions:has(+ :is(inlay-feedback, .thanks)) {
    position: static;
  }

  .quiet {
    border-radius: ${token('radius-small')};
    background: var(--inlay-actions-background, ${token('color-surface')});
  }

  @media (pointer: coarse) {
    .actions {
      margin-inline-start: -14px;
    }
  }

  .icon-button[aria-pressed='true'] {
    color: ${token('color-accent-text')};
  }

  .icon-button[aria-pressed='true'] svg:not(.solid) {
    fill: ${token('color-accent-soft')};
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

  time {
    margin-inline-start: ${token('space-2')};
  }

  /* In forced colors, buttons have borders, which have to align with the text. */
  @media (forced-colors: active) {
    .actions {
      margin-inline-start: 0;
    }
  }
`;
