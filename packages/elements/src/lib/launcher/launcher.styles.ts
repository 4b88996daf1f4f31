import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    all: initial;
    visibility: inherit;
    position: fixed;
    inset-block-end: calc(${token('launcher-offset')} + env(safe-area-inset-bottom, 0px));
    inset-inline-end: ${token('launcher-offset')};
    z-index: ${token('z-index')};
    display: block;
    color: ${token('color-text')};
    font-family: ${token('font-family')};
    font-size: ${token('font-size')};
    line-height: ${token('line-height')};
  }

  :host([placement='bottom-start']) {
    inset-inline: ${token('launcher-offset')} auto;
  }

  .bubble {
    position: relative;
    display: grid;
    place-items: center;
    inline-size: ${token('launcher-size')};
    block-size: ${token('launcher-size')};
    border-radius: ${token('radius-full')};
    background: ${token('color-accent')};
    box-shadow: ${token('shadow-panel')};
    color: ${token('color-on-accent')};
    transition:
      background ${token('duration-fast')},
      transform ${token('duration-fast')} ${token('easing')};
  }

  .bubble:hover {
    background: ${token('color-accent-hover')};
    transform: translateY(-1px);
  }

  .bubble:active {
    transform: scale(0.95);
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
    padding-inline: 6px;
    border: 2px solid ${token('color-surface')};
    border-radius: ${token('radius-full')};
    background: ${token('color-danger')};
    color: ${token('color-surface')};
    font-size: 12px;
    font-weight: 650;
    line-height: 18px;
    text-align: center;
  }

  dialog {
    position: fixed;
    inset-block: auto
      calc(${token('launcher-offset')} + ${token('launcher-size')} + 12px + env(safe-area-inset-bottom, 0px));
    inset-inline: auto ${token('launcher-offset')};
    flex-direction: column;
    inline-size: min(${token('panel-inline-size')}, 100vw - 2 * ${token('launcher-offset')});
    block-size: min(
      ${token('panel-block-size')},
      100dvh - ${token('launcher-size')} - 2 * ${token('launcher-offset')} - 12px
    );
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

  dialog[open] {
    display: flex;
    animation: open ${token('duration')} ${token('easing')};
  }

  dialog::backdrop {
    background: none;
  }

  :host([placement='bottom-start']) dialog {
    inset-inline: ${token('launcher-offset')} auto;
  }

  inlay-chat {
    flex: 1;
    min-block-size: 0;
    max-block-size: none;
  }

  @keyframes open {
    from {
      opacity: 0;
      transform: translateY(12px) scale(0.985);
    }
  }

  /* The same question as in launcher.ts. */
  @media (max-width: 560px), (max-height: 420px) {
    dialog,
    :host([placement='bottom-start']) dialog {
      inset: var(--viewport-top, 0px) 0 auto 0;
      inline-size: 100%;
      block-size: var(--viewport-height, 100dvh);
      border: 0;
      border-radius: 0;
      padding-block-end: env(safe-area-inset-bottom, 0px);
    }
  }

  @media print {
    :host {
      display: none;
    }
  }

  @media (forced-colors: active) {
    .bubble {
      border: 2px solid ButtonBorder;
    }
  }
`;
