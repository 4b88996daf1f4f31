import { css } from 'lit';
import { token } from '../theme/tokens.ts';

/** Styles of the panels beside or over the conversation: list of conversations, menu, drop target. */
export const panels = css`
  .body {
    position: relative;
    display: flex;
    flex: 1;
    min-block-size: 0;
  }

  .talk {
    position: relative;
    display: flex;
    flex: 1;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
  }

  inlay-conversation-list {
    position: absolute;
    inset: 0;
    z-index: 2;
    animation: come ${token('duration-fast')} ${token('easing')};
  }

  /* Hides the covered conversation from keyboard and screen reader users. */
  @container (inline-size <= 760px) {
    inlay-conversation-list + .talk {
      visibility: hidden;
    }
  }

  .menu-place {
    position: relative;
  }

  inlay-menu {
    position: absolute;
    inset-block-start: calc(100% + ${token('space-1')});
    inset-inline-end: 0;
    z-index: 3;
  }

  .drop {
    position: absolute;
    inset: ${token('space-2')};
    z-index: 4;
    display: grid;
    place-content: center;
    justify-items: center;
    gap: ${token('space-2')};
    border: 2px dashed ${token('color-accent-text')};
    border-radius: ${token('radius-large')};
    background: color-mix(in oklab, ${token('color-surface')} 92%, transparent);
    color: ${token('color-accent-text')};
    font-weight: ${token('font-weight-medium')};
    pointer-events: none;
  }

  @keyframes come {
    from {
      opacity: 0;
    }
  }

  @container (inline-size > 760px) {
    inlay-conversation-list {
      position: static;
      flex: none;
      inline-size: 280px;
      border-inline-end: 1px solid ${token('color-border')};
      animation: none;
    }
  }
`;
