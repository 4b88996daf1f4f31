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
    border: 1px solid ${token('color-border-control')};
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
    max-block-size: var(--inlay-short-size, min(200px, 40dvb));
    margin: 0;
    padding: 6px ${token('space-3')};
    border: 0;
    background: none;
    color: ${token('color-text')};
    font: inherit;
    line-height: ${token('line-height')};
    resize: none;
    overflow-y: auto;
    /* Fades lines that are cut off at an edge. Without them, only the padding is there. */
    mask: linear-gradient(transparent, black 10px calc(100% - 10px), transparent);
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
    flex-basis: var(--inlay-short-size, 100%);
    padding-inline: ${token('space-3')};
  }

  textarea:read-only {
    color: ${token('color-text-muted')};
    cursor: default;
  }

  .tool,
  .act {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 36px;
    block-size: 36px;
    border-radius: ${token('radius-full')};
    transition:
      background ${token('duration-fast')},
      color ${token('duration-fast')};
  }

  .tool {
    color: ${token('color-text-muted')};
  }

  @media (hover: hover) {
    .tool:hover {
      background: ${token('color-surface-soft')};
      color: ${token('color-text')};
    }
  }

  .act {
    background: ${token('color-accent')};
    color: ${token('color-on-accent')};
  }

  .act:hover {
    background: ${token('color-accent-hover')};
  }

  .act:disabled {
    background: ${token('color-surface-soft')};
    color: color-mix(in oklab, ${token('color-text-muted')} 50%, transparent);
  }

  .stop,
  .stop:hover {
    background: ${token('color-text')};
    color: ${token('color-surface')};
  }

  p {
    display: var(--inlay-short-display, block);
    margin: ${token('space-2')} ${token('space-3')} 0;
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-tiny')};
    line-height: ${token('line-height')};
    text-align: center;
    text-wrap: balance;
  }

  .problem {
    display: block;
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

    .act,
    .tool {
      inline-size: ${token('touch-size')};
      block-size: ${token('touch-size')};
    }
  }

  @media (forced-colors: active) {
    .act {
      border: 1px solid ButtonBorder;
    }

    form:focus-within {
      outline: 2px solid Highlight;
    }
  }
`;
