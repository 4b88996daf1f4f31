import { css } from 'lit';
import { token } from '../theme/tokens.ts';

/** Styles of the panel and the host, which inherits the font set on the launcher. */
export const styles = css`
  /* Without a box, the launcher does not affect flex, grid or margin layout of the page. */
  :host {
    display: contents;
  }

  .layer {
    font-family: inherit;
    font-size: ${token('font-size')};
    line-height: ${token('line-height')};
  }

  dialog {
    --edge: var(--side);
    --height: min(
      ${token('panel-block-size')},
      100% - var(--bottom) - var(--top) - ${token('launcher-size')} - ${token('space-3')}
    );

    position: absolute;
    pointer-events: auto;
    inset-block: auto calc(var(--bottom) + ${token('launcher-size')} + ${token('space-3')});
    inset-inline: auto var(--edge);
    flex-direction: column;
    inline-size: min(${token('panel-inline-size')}, 100% - var(--edge) - var(--side));
    block-size: var(--height);
    max-inline-size: none;
    max-block-size: none;
    margin: 0;
    padding: 0;
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-large')};
    background: ${token('color-surface')};
    box-shadow: ${token('shadow-panel')};
    color: inherit;
    overflow: hidden;
    outline: 0;
  }

  /*
   * If the bubble is not at the bottom, the panel is beside it, because there may be no room above it. The
   * panel is the last child if there is no bubble.
   */
  [data-lifted] dialog,
  dialog:last-child {
    --height: min(${token('panel-block-size')}, 100% - var(--bottom) - var(--top));

    inset-block-end: min(var(--bottom) + var(--lift), 100% - var(--top) - var(--height));
  }

  [data-lifted] dialog {
    --edge: calc(var(--side) + ${token('launcher-size')} + ${token('space-3')});
  }

  dialog:last-child {
    --edge: var(--side);
  }

  [data-side='start'] dialog {
    inset-inline: var(--edge) auto;
  }

  dialog:modal {
    position: fixed;
  }

  dialog[open] {
    display: flex;
    animation: open ${token('duration')} ${token('easing')};
  }

  dialog::backdrop {
    background: none;
  }

  inlay-chat {
    font-family: inherit;
    flex: 1;
    min-block-size: 0;
    max-block-size: none;
  }

  /*
   * An attribute rather than a media query, which WebKit does not always reevaluate: the size has to
   * match the modal state.
   */
  .layer[data-covers] dialog.panel {
    inset: var(--viewport-top, 0px) 0 auto 0;
    inline-size: 100%;
    block-size: var(--viewport-height, 100%);
    border: 0;
    border-radius: 0;
    padding-block-end: env(safe-area-inset-bottom, 0px);
    overscroll-behavior: contain;
  }

  /* The keyboard covers the safe area. */
  .layer[data-covers] dialog.panel[data-keyboard] {
    padding-block-end: 0;
  }

  [data-covers] dialog[open] ~ .corner {
    visibility: hidden;
  }

  /* Restores the browser's default, which another rule overrides. */
  .layer[popover]:not(:popover-open) {
    display: none;
  }
`;
