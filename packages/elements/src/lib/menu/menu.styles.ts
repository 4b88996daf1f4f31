import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    inline-size: max-content;
    max-inline-size: min(320px, 100cqi - 2 * ${token('space-4')});
  }

  .menu {
    padding: ${token('space-1')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    box-shadow: ${token('shadow-panel')};
    animation: open ${token('duration-fast')} ${token('easing')};
  }

  .item {
    display: flex;
    align-items: center;
    gap: ${token('space-3')};
    inline-size: 100%;
    min-block-size: 40px;
    padding-inline: ${token('space-3')} ${token('space-4')};
    border-radius: ${token('radius-small')};
  }

  .item svg {
    color: ${token('color-text-muted')};
  }

  .danger,
  .danger svg {
    color: ${token('color-danger')};
  }

  .button.danger {
    border-color: ${token('color-danger')};
  }

  .question {
    padding: ${token('space-3')};
  }

  h3 {
    margin: 0;
    font-size: inherit;
    font-weight: ${token('font-weight-strong')};
  }

  p {
    margin: ${token('space-1')} 0 ${token('space-4')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .choices {
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    gap: ${token('space-2')};
  }

  @keyframes open {
    from {
      opacity: 0;
      transform: translateY(-4px);
    }
  }

  .item:focus-visible {
    outline-offset: -2px;
  }

  @media (hover: hover) {
    .item:hover {
      background: ${token('color-surface-soft')};
    }
  }

  @media (pointer: coarse) {
    .item {
      min-block-size: 48px;
    }
  }
`;
