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
    max-inline-size: min(100%, 300px);
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

  .tile {
    inline-size: 80px;
    block-size: 80px;
    padding: 0;
  }

  .tile .picture {
    inline-size: 100%;
    block-size: 100%;
    outline-offset: -2px;
  }

  /* The name of a picture is only for screen readers. Its progress is over the picture. */
  .tile .words {
    position: absolute;
    inset: 0;
    pointer-events: none;
    place-content: center;
    font-weight: ${token('font-weight-medium')};
  }

  .tile.uploading .words {
    background: color-mix(in oklab, ${token('color-surface')} 75%, transparent);
  }

  .tile .name,
  .tile.done .state {
    position: absolute;
    clip-path: inset(50%);
  }

  .tile .state {
    color: ${token('color-text')};
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
  .refused .state {
    max-inline-size: 26ch;
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

  .tile .remove {
    position: absolute;
    inset-block-start: 0;
    inset-inline-end: 0;
    place-items: start end;
    padding: ${token('space-1')};
  }

  .tile .remove svg {
    inline-size: 20px;
    block-size: 20px;
    padding: 3px;
    border-radius: ${token('radius-full')};
    background: ${token('color-surface')};
    color: ${token('color-text')};
  }

  .retry {
    inline-size: auto;
    padding-inline: ${token('space-2')};
    color: ${token('color-text')};
    font-size: ${token('font-size-small')};
    font-weight: ${token('font-weight-medium')};
    white-space: nowrap;
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

  progress:indeterminate {
    background: linear-gradient(90deg, ${token('color-border')} 33%, ${token('color-accent')}, ${token('color-border')} 67%) 0
      0 / 300% 100%;
    animation: pass ${token('duration-loop')} linear infinite;
  }

  progress:indeterminate::-webkit-progress-bar {
    background: none;
  }

  @keyframes pass {
    from {
      background-position-x: 100%;
    }
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

    /* The button to remove a picture covers less than a quarter of it. */
    .tile {
      inline-size: 96px;
      block-size: 96px;
    }
  }
`;
