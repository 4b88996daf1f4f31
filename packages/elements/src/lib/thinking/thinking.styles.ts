import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  summary,
  .line {
    display: inline-flex;
    align-items: center;
    gap: ${token('space-1')};
    min-block-size: 28px;
    font-variant-numeric: tabular-nums;
  }

  summary {
    border-radius: ${token('radius-small')};
    cursor: pointer;
    list-style: none;
  }

  summary::-webkit-details-marker {
    display: none;
  }

  summary:hover {
    color: ${token('color-text')};
  }

  summary svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    transition: transform ${token('duration-fast')};
  }

  details[open] summary svg {
    transform: rotate(180deg);
  }

  .text {
    max-inline-size: ${token('measure')};
    max-block-size: 320px;
    margin-block: ${token('space-1')} ${token('space-2')};
    padding-inline-start: ${token('space-3')};
    border-inline-start: 2px solid ${token('color-border')};
    overflow-y: auto;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    scrollbar-width: thin;
  }

  .live {
    animation: var(--inlay-live-animation, breathe ${token('duration-loop')} ease-in-out infinite);
  }

  @keyframes breathe {
    50% {
      opacity: 0.5;
    }
  }

  @media (pointer: coarse) {
    summary {
      min-block-size: ${token('touch-size')};
      margin-block: calc(-1 * ${token('space-2')});
    }
  }
`;
