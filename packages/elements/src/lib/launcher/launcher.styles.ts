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
    --base: calc(var(--bottom) + var(--inlay-shift, 0px));
    --height: min(
      ${token('panel-block-size')},
      100% - var(--base) - var(--top) - ${token('launcher-size')} - ${token('space-3')}
    );

    position: absolute;
    pointer-events: auto;
    inset-block: auto calc(var(--base) + ${token('launcher-size')} + ${token('space-3')});
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
    animation: leave ${token('motion-leave')} forwards;
    transition: display ${token('motion-leave')} allow-discrete;
    transition-property: display, overlay;

    /* The panel grows out of the bubble, and shrinks into it. */
    --step: calc(${token('launcher-size')} + ${token('space-3')});
    --from: 0 var(--step);
    --rest: calc(100% - ${token('launcher-size')});
    --box: var(
      --room,
      var(--rest) max(0px, var(--end) * -1 * var(--rest)) 0 max(0px, var(--end) * var(--rest))
    );
    --round: min(${token('launcher-radius')}, ${token('launcher-size')} / 2);
    --shape: inset(var(--box) round var(--round));
  }

  /* The edge of the shape while it grows or shrinks. */
  dialog::after {
    content: '';
    position: absolute;
    inset: -2px;
    border: 2px solid transparent;
    border-radius: ${token('radius-large')};
    pointer-events: none;
    animation: edge ${token('motion-arrive')};
  }

  dialog:not([open])::after {
    animation: edge-back ${token('motion-leave')};
  }

  @keyframes edge {
    from {
      inset: var(--box);
      border-color: ${token('color-border')};
    }

    60% {
      inset: -1px;
      border-color: ${token('color-border')};
    }
  }

  @keyframes edge-back {
    30% {
      inset: -1px;
      border-color: ${token('color-border')};
    }

    to {
      inset: var(--box);
      border-color: ${token('color-border')};
    }
  }

  /* 1 if the bubble is on the right, -1 if it is on the left. */
  .layer {
    --end: 1;

    transition: --inlay-shift ${token('motion-settle')};
  }

  [data-side='start'],
  [data-side='end']:dir(rtl) {
    --end: -1;
  }

  [data-side='start']:dir(rtl) {
    --end: 1;
  }

  /*
   * If the bubble is not at the bottom, the panel is beside it, because there may be no room above it. The
   * panel is the last child if there is no bubble.
   */
  [data-lifted] dialog,
  [data-shifted] dialog,
  dialog:last-child {
    --height: max(
      320px,
      min(${token('panel-block-size')}, 100% - max(var(--bottom), var(--base)) - var(--top))
    );

    inset-block-end: min(var(--base) + var(--lift), 100% - var(--top) - var(--height));
  }

  [data-lifted] dialog,
  [data-shifted] dialog {
    --edge: calc(var(--side) + var(--step));
    --from: calc(var(--end) * var(--step)) 0;
  }

  dialog:last-child {
    --edge: var(--side);
    --from: 0 ${token('space-3')};
    --room: -64px;
  }

  [data-side='start'] dialog {
    inset-inline: var(--edge) auto;
  }

  dialog:modal {
    position: fixed;
  }

  dialog[open] {
    display: flex;
    animation: arrive ${token('motion-arrive')};
  }

  /*
   * A negative inset leaves room for the shadow. While the panel grows or shrinks, the shadow is hidden, because
   * the shape would contain only a part of it.
   */
  @keyframes arrive {
    from {
      clip-path: var(--shape);
      translate: var(--from);
    }

    60% {
      clip-path: inset(var(--room, 0px) round 20px);
    }

    to {
      clip-path: inset(-64px round 84px);
    }
  }

  @keyframes leave {
    from {
      clip-path: inset(-64px round 84px);
    }

    30% {
      clip-path: inset(var(--room, 0px) round 20px);
    }

    to {
      clip-path: var(--shape);
      translate: var(--from);
    }
  }

  @keyframes fade-in {
    from {
      opacity: 0;
    }
  }

  @keyframes fade-out {
    to {
      opacity: 0;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    dialog {
      animation: fade-out ${token('duration-fast')} forwards !important;
      transition: display ${token('duration-fast')} allow-discrete !important;
    }

    dialog[open] {
      animation: fade-in ${token('duration-fast')} !important;
    }
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
    --from: 0 100%;
    --room: -64px;
    border: 0;
    border-radius: 0;
    /* While the panel slides in, its focus ring would be a line at its top. */
    outline: 0;
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
