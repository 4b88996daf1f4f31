import { css } from 'lit';
import { token } from '../theme/tokens.ts';

/** The box and the items of a menu. */
export const menuItems = css`
  .menu {
    padding: ${token('space-1')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    box-shadow: ${token('shadow-panel')};
    transition: ${token('motion-answer')} allow-discrete;
    transition-property: opacity, translate, display;
  }

  .menu[hidden] {
    opacity: 0;
    translate: 0 -4px;
    pointer-events: none;
  }

  @starting-style {
    .menu {
      opacity: 0;
      translate: 0 -4px;
    }
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
