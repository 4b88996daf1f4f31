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

  /* Stops the inheritance of these properties: otherwise each change would recalculate the styles of
     all descendants. */
  inlay-markdown {
    --inlay-live-animation: initial;
    --inlay-live-display: initial;
    --inlay-actions-display: initial;
    --inlay-actions-opacity: initial;
    --inlay-actions-pointer-events: initial;
    --inlay-actions-position: initial;
    --inlay-actions-background: initial;
    --inlay-ended-display: initial;
  }

  .ended {
    display: var(--inlay-ended-display, inline-flex);
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

  inlay-answer-actions {
    display: var(--inlay-actions-display, block);
  }

  :host(:hover) inlay-answer-actions {
    --inlay-actions-opacity: 1;
    --inlay-actions-pointer-events: auto;
  }
`;
