import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  /* Plain text until the element is loaded. */
  inlay-markdown:not(:defined) {
    display: block;
    color: ${token('color-text')};
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    overflow: clip;
  }

  /* Not inherited by the text: each change would recalculate the styles of all its descendants. */
  inlay-markdown {
    --inlay-live-animation: initial;
    --inlay-live-display: initial;
    --inlay-actions-display: initial;
    --inlay-actions-opacity: initial;
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

  /* Reserves the space until the element is loaded. */
  inlay-answer-actions {
    display: var(--inlay-actions-display, block);
    min-block-size: ${token('control-size')};
    margin-block-start: ${token('space-1')};
  }

  :host(:hover) inlay-answer-actions {
    --inlay-actions-opacity: 1;
  }

  @media (pointer: coarse) {
    inlay-answer-actions {
      min-block-size: ${token('touch-size')};
    }
  }
`;
