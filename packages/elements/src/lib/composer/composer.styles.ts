import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    position: relative;
  }

  form {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-end;
    gap: ${token('space-1')};
    padding: 6px;
    border: 1px solid ${token('color-border-strong')};
    border-radius: ${token('radius-field')};
    background: ${token('color-surface-raised')};
    box-shadow: ${token('shadow-raised')};
    transition:
      border-color ${token('duration-fast')},
      box-shadow ${token('duration-fast')};
    cursor: text;
  }

  form:focus-within {
    border-color: ${token('color-focus')};
    box-shadow:
      0 0 0 3px ${token('color-accent-soft')},
      ${token('shadow-raised')};
  }

  inlay-attachments {
    flex: 1 0 100%;
    min-inline-size: 0;
  }

  .tools {
    display: flex;
    flex: 1;
    align-items: center;
    gap: ${token('space-1')};
    min-inline-size: 0;
  }

  .trailing {
    display: flex;
    gap: ${token('space-1')};
    margin-inline-start: auto;
  }

  .closed {
    background: ${token('color-surface-soft')};
    box-shadow: none;
  }

  textarea {
    flex: 1;
    min-inline-size: 0;
    min-block-size: 36px;
    max-block-size: min(200px, 40dvb);
    margin: 0;
    padding: 6px ${token('space-3')};
    border: 0;
    background: none;
    color: ${token('color-text')};
    font: inherit;
    line-height: ${token('line-height')};
    resize: none;
    overflow-y: auto;
    scrollbar-width: thin;
  }

  /* The box around the field shows the focus ring. */
  textarea:focus-visible {
    outline: none;
  }

  textarea::placeholder {
    color: ${token('color-text-muted')};
    opacity: 1;
  }

  input + textarea {
    padding-inline-start: 0;
  }

  .tall textarea {
    flex-basis: 100%;
    padding-inline: ${token('space-3')};
  }

  .closed textarea {
    color: ${token('color-text-muted')};
    cursor: default;
  }

  .tool {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 36px;
    block-size: 36px;
    border-radius: ${token('radius-full')};
    color: ${token('color-text-muted')};
    transition:
      background ${token('duration-fast')},
      color ${token('duration-fast')};
  }

  .tool:disabled {
    opacity: 0.5;
  }

  .listening {
    background: ${token('color-accent-soft')};
    color: ${token('color-accent-text')};
    animation: listen ${token('duration-loop')} ease-in-out infinite;
  }

  @keyframes listen {
    50% {
      background: transparent;
    }
  }

  .mode {
    position: relative;
    display: flex;
    align-items: center;
    min-inline-size: 0;
    border-radius: ${token('radius-full')};
    color: ${token('color-text-muted')};
  }

  .mode svg {
    position: absolute;
    inset-inline-end: ${token('space-2')};
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    pointer-events: none;
  }

  select {
    appearance: none;
    min-inline-size: 0;
    max-inline-size: 100%;
    block-size: 36px;
    margin: 0;
    padding-inline: ${token('space-3')} 28px;
    border: 0;
    border-radius: inherit;
    background: none;
    color: inherit;
    font: inherit;
    font-size: ${token('font-size-small')};
    text-overflow: ellipsis;
    cursor: pointer;
  }

  option {
    background: ${token('color-surface-raised')};
    color: ${token('color-text')};
  }

  .suggestions {
    position: absolute;
    inset-block-end: calc(100% + ${token('space-2')});
    inset-inline: 0;
    z-index: 1;
    max-block-size: min(320px, 50dvb);
    padding: ${token('space-1')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    box-shadow: ${token('shadow-panel')};
    overflow-y: auto;
  }

  [role='option'] {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    column-gap: ${token('space-3')};
    padding: ${token('space-2')} ${token('space-3')};
    border-radius: ${token('radius-small')};
    cursor: pointer;
  }

  [role='option'][aria-selected='true'] {
    background: ${token('color-accent-soft')};
  }

  .label {
    font-weight: ${token('font-weight-medium')};
  }

  .description,
  .searching {
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  @media (forced-colors: active) {
    [aria-selected='true'] .description {
      color: inherit;
    }
  }

  @media (hover: hover) {
    .tool:hover:not(:disabled),
    .mode:hover {
      background: ${token('color-surface-soft')};
      color: ${token('color-text')};
    }

    [role='option']:hover {
      background: ${token('color-surface-soft')};
    }
  }

  .act {
    display: grid;
    place-items: center;
    inline-size: 36px;
    block-size: 36px;
    flex: none;
    border-radius: ${token('radius-full')};
    background: ${token('color-accent')};
    color: ${token('color-on-accent')};
    transition:
      background ${token('duration-fast')},
      color ${token('duration-fast')},
      transform ${token('duration-fast')};
  }

  .act:hover {
    background: ${token('color-accent-hover')};
  }

  .act:active {
    transform: scale(0.94);
  }

  .act:disabled {
    background: ${token('color-surface-soft')};
    color: color-mix(in oklab, ${token('color-text-muted')} 50%, transparent);
    transform: none;
  }

  .stop,
  .stop:hover {
    background: ${token('color-text')};
    color: ${token('color-surface')};
  }

  p {
    margin: ${token('space-2')} ${token('space-3')} 0;
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-tiny')};
    line-height: ${token('line-height')};
    text-align: center;
    text-wrap: balance;
  }

  .problem {
    color: ${token('color-danger')};
    text-align: start;
  }

  @media (pointer: coarse) {
    /* iOS zooms into focused fields with a font size below 16 px. */
    textarea {
      font-size: max(16px, 1em);
      padding-block: 10px;
      min-block-size: ${token('touch-size')};
    }

    [role='option'] {
      min-block-size: ${token('touch-size')};
    }

    .act,
    .tool {
      inline-size: ${token('touch-size')};
      block-size: ${token('touch-size')};
    }

    select {
      block-size: ${token('touch-size')};
    }

    form {
      border-radius: ${token('radius-field')};
    }
  }

  @media (forced-colors: active) {
    .act {
      border: 1px solid ButtonBorder;
    }

    [role='option'][aria-selected='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }

    form:focus-within {
      outline: 2px solid Highlight;
    }
  }
`;
