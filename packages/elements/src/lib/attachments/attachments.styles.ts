import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  ul {
    display: flex;
    gap: ${token('space-2')};
    margin: 0;
    padding: ${token('space-1')};
    overflow-x: auto;
    overscroll-behavior-inline: contain;
    scrollbar-width: thin;
    list-style: none;
  }

  /* Fades an edge while there is more to scroll to. Without overflow, the timeline is inactive. */
  @supports (animation-timeline: scroll()) {
    ul {
      --start: 0;
      --end: 100%;
      --angle: 90deg;
      mask:
        linear-gradient(var(--angle), black calc(100% - 40px), transparent) no-repeat,
        linear-gradient(var(--angle), transparent, black 40px) no-repeat;
      mask-composite: intersect;
      mask-position:
        var(--start) 0,
        var(--end) 0;
      mask-size: calc(100% + 40px);
      animation: fade-edges linear !important;
      animation-duration: auto !important;
      animation-timeline: scroll(self inline) !important;
    }

    ul:dir(rtl) {
      --start: 100%;
      --end: 0;
      --angle: -90deg;
    }

    ul:focus-within {
      mask: none;
    }
  }

  @keyframes fade-edges {
    from {
      mask-position:
        var(--start) 0,
        var(--end) 0;
      mask-size:
        100%,
        calc(100% + 40px);
    }
    20%,
    to {
      mask-position: var(--start) 0;
    }
    80% {
      mask-size:
        100%,
        calc(100% + 40px);
    }
  }

  li {
    position: relative;
    display: flex;
    align-items: center;
    gap: ${token('space-2')};
    flex: none;
    max-inline-size: min(100%, 264px);
    padding: ${token('space-1')};
    padding-inline-end: ${token('space-1')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-soft')};
    overflow: hidden;
  }

  .picture {
    position: relative;
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 40px;
    block-size: 40px;
    border-radius: ${token('radius-small')};
    background: ${token('color-surface')};
    color: ${token('color-text-muted')};
    overflow: hidden;
  }

  canvas {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
  }

  .words {
    display: grid;
    justify-items: start;
    min-inline-size: 0;
    max-inline-size: 28ch;
    font-size: ${token('font-size-small')};
    line-height: ${token('line-height-tight')};
  }

  .name {
    max-inline-size: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .state {
    color: ${token('color-text-muted')};
    font-variant-numeric: tabular-nums;
  }

  .failed .state,
  .failed .picture,
  .refused .state,
  .refused .picture {
    color: ${token('color-danger')};
  }

  button {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 28px;
    block-size: 28px;
    border-radius: ${token('radius-small')};
    color: ${token('color-text-muted')};
  }

  button svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
  }

  progress {
    appearance: none;
    position: absolute;
    inset-block-end: 0;
    inset-inline: 0;
    inline-size: 100%;
    block-size: 3px;
    border: 0;
    background: ${token('color-border')};
    accent-color: ${token('color-accent')};
  }

  progress::-webkit-progress-bar {
    background: ${token('color-border')};
  }

  progress::-webkit-progress-value {
    background: ${token('color-accent')};
    transition: inline-size ${token('duration-fast')};
  }

  progress::-moz-progress-bar {
    background: ${token('color-accent')};
  }

  @media (hover: hover) {
    button:hover {
      background: ${token('color-surface')};
      color: ${token('color-text')};
    }
  }

  @media (pointer: coarse) {
    button {
      inline-size: ${token('touch-size')};
      block-size: ${token('touch-size')};
    }
  }
`;
