import { css } from 'lit';
import { token } from '../theme/tokens.ts';

/**
 * The row of buttons of a message. It is hidden until the message is hovered or focused; on a touch
 * screen, until it is tapped.
 */
export const actionStyles = css`
  .actions {
    display: var(--inlay-actions-display, flex);
    align-items: center;
    gap: 2px;
    min-block-size: ${token('control-size')};
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

  :host(:focus-within) .quiet,
  .quiet.rated {
    opacity: 1;
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

  @media (pointer: coarse) {
    .text-button {
      min-block-size: ${token('touch-size')};
    }
  }

  /* A tap must not press a hidden button. */
  @media (hover: none) {
    .quiet {
      pointer-events: var(--inlay-actions-pointer-events, none);
    }

    :host(:focus-within) .quiet,
    .quiet.rated {
      pointer-events: auto;
    }
  }
`;
