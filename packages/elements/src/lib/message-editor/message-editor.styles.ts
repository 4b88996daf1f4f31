import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    inline-size: min(100%, 576px);
    padding-block-end: ${token('space-4')};
  }

  .editor {
    display: grid;
    gap: ${token('space-2')};
    padding: ${token('space-2')};
    border: 1px solid ${token('color-border-control')};
    border-radius: ${token('radius-large')};
    background: ${token('color-surface-raised')};
  }

  .editor:focus-within {
    border-color: ${token('color-focus')};
  }

  textarea {
    display: block;
    inline-size: 100%;
    max-block-size: 40vh;
    margin: 0;
    padding: ${token('space-1')} ${token('space-2')};
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    line-height: inherit;
    resize: none;
    scrollbar-width: thin;
  }

  /* The box around the field shows the focus ring. */
  textarea:focus-visible {
    outline: none;
  }

  .choices {
    display: flex;
    justify-content: flex-end;
    gap: ${token('space-2')};
  }

  .button {
    border-radius: ${token('radius-medium')};
  }

  .button.primary:disabled {
    opacity: 0.5;
  }

  @media (pointer: coarse) {
    /* iOS zooms into focused fields with a font size below 16 px. */
    textarea {
      min-block-size: ${token('touch-size')};
      font-size: max(16px, ${token('font-size')});
    }
  }

  @media (forced-colors: active) {
    .editor:focus-within {
      outline: 2px solid Highlight;
    }
  }
`;
