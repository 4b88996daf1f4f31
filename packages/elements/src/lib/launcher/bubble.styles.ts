import { css } from 'lit';
import { token } from '../theme/tokens.ts';

/**
 * Styles of the bubble, its badge and its teaser, shared by the launcher and the script tag's first
 * bubble. The host has no box and provides the font.
 */
export const bubbleStyles = css`
  .layer {
    all: initial;
    visibility: inherit;
    color-scheme: inherit;
    position: fixed;
    inset: 0;
    z-index: ${token('z-index')};
    pointer-events: none;
    color: ${token('color-text')};

    /* In landscape orientation, the left and right safe area insets of a phone are equal. */
    --side: calc(${token('launcher-offset-inline')} + env(safe-area-inset-left, 0px));
    --bottom: calc(${token('launcher-offset-block')} + env(safe-area-inset-bottom, 0px));
    --top: calc(${token('launcher-offset-block')} + env(safe-area-inset-top, 0px));
    --lift: calc(var(--up, 0) * (100% - var(--bottom) - var(--top) - ${token('launcher-size')}));
  }

  /* Not fixed: in the top layer, WebKit positions fixed elements relative to a transformed ancestor. */
  .corner {
    position: absolute;
    pointer-events: auto;
    inset-block-end: calc(var(--bottom) + var(--lift) + var(--inlay-shift, 0px));
    inset-inline: auto var(--side);
  }

  [data-side='start'] .corner {
    inset-inline: var(--side) auto;
  }

  .bubble {
    position: relative;
    display: grid;
    place-items: center;
    inline-size: ${token('launcher-size')};
    block-size: ${token('launcher-size')};
    border-radius: ${token('launcher-radius')};
    background: ${token('color-accent')};
    box-shadow: ${token('shadow-panel')};
    color: ${token('color-on-accent')};
    -webkit-user-select: none;
    transition:
      transform ${token('duration-fast')} ${token('easing')},
      scale ${token('duration-fast')} ${token('easing')},
      translate ${token('duration')} ${token('easing')};
  }

  /* A touch drag moves the bubble instead of scrolling the page. */
  .movable {
    touch-action: none;
  }

  .bubble:focus-visible {
    outline-offset: 3px;
  }

  .bubble svg {
    inline-size: 26px;
    block-size: 26px;
  }

  .badge {
    position: absolute;
    inset-block-start: -4px;
    inset-inline-end: -4px;
    min-inline-size: 22px;
    padding-inline: 4px;
    text-align: center;
    border: 2px solid ${token('color-surface')};
    border-radius: ${token('radius-full')};
    /* The default colors of the token: not adapted to the page's surface, because the border separates them. */
    background: var(--inlay-color-danger, light-dark(#c2332a, #ff9d95));
    color: light-dark(#fff, #17181b);
    font-size: 12px;
    font-weight: 650;
    line-height: 18px;
  }

  .teaser {
    position: absolute;
    inset-block-end: calc(100% + 12px);
    inset-inline: auto 0;
    display: flex;
    align-items: flex-start;
    inline-size: max-content;
    max-inline-size: min(288px, 100vw - 2 * var(--side));
    border: 1px solid color-mix(in srgb, currentcolor 14%, transparent);
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface')};
    box-shadow: ${token('shadow-panel')};
    transition: ${token('duration')} ${token('easing')};
  }

  .gone {
    opacity: 0;
    transform: translateY(12px);
    pointer-events: none;
  }

  .gone button {
    visibility: hidden;
    transition: visibility ${token('duration')};
  }

  [data-side='start'] .teaser {
    inset-inline: 0 auto;
  }

  [data-high] .teaser {
    inset-block: calc(100% + 12px) auto;
  }

  .teaser-text {
    padding-block: 12px;
    padding-inline: 16px 0;
    line-height: 1.4;
    overflow-wrap: anywhere;
  }

  .teaser-close {
    display: grid;
    flex: none;
    place-items: center;
    inline-size: 32px;
    block-size: 32px;
    margin: 6px;
    opacity: 0.7;
  }

  .teaser-close svg {
    inline-size: 16px;
    block-size: 16px;
  }

  @media (hover: hover) {
    .bubble:hover {
      filter: brightness(1.08);
      transform: translateY(-1px);
    }
  }

  .bubble:active {
    transform: scale(0.95);
  }

  @media (pointer: coarse) {
    .teaser-close {
      inline-size: 44px;
      block-size: 44px;
      margin: 0;
    }
  }

  @media print {
    .layer {
      display: none;
    }
  }

  @media (forced-colors: active) {
    .bubble {
      border: 2px solid ButtonBorder;
    }
  }
`;
