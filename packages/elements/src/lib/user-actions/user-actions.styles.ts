import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  .actions {
    margin-inline-end: -6px;
  }

  .versions {
    display: flex;
    align-items: center;
    gap: 2px;
  }

  .at {
    min-inline-size: 3ch;
    font-variant-numeric: tabular-nums;
    text-align: center;
  }

  .step {
    inline-size: 28px;
  }

  .step[aria-disabled='true'] {
    opacity: 0.4;
    cursor: default;
  }

  .previous svg {
    rotate: 90deg;
  }

  .next svg {
    rotate: -90deg;
  }

  .step:dir(rtl) svg {
    scale: 1 -1;
  }

  @media (pointer: coarse) {
    .step {
      inline-size: ${token('touch-size')};
    }
  }
`;
