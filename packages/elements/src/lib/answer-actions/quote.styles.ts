import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const quoteStyles = css`
  .quote {
    position: absolute;
    z-index: 1;
    display: flex;
    align-items: center;
    gap: ${token('space-1')};
    min-block-size: ${token('control-size')};
    padding-inline: ${token('space-2')} ${token('space-3')};
    border: 1px solid ${token('color-border-control')};
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

  @media (pointer: coarse) {
    .quote {
      min-block-size: ${token('touch-size')};
    }
  }
`;
