import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  form {
    display: flex;
    align-items: flex-end;
    gap: ${token('space-1')};
    padding: 6px;
    border: 1px solid ${token('color-border-strong')};
    border-radius: 24px;
    background: ${token('color-surface-raised')};
    box-shadow: ${token('shadow-raised')};
    transition:
      border-color ${token('duration-fast')},
      box-shadow ${token('duration-fast')};
    cursor: text;
  }

  form:focus-within {
    border-color: ${token('color-accent-text')};
    box-shadow:
      0 0 0 3px ${token('color-accent-soft')},
      ${token('shadow-raised')};
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
    line-height: 24px;
    resize: none;
    overflow-y: auto;
    scrollbar-width: thin;
  }

  /* The box around it shows the focus. */
  textarea:focus-visible {
    outline: none;
  }

  textarea::placeholder {
    color: ${token('color-text-muted')};
    opacity: 1;
  }

  .closed textarea {
    color: ${token('color-text-muted')};
    cursor: default;
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
    color: ${token('color-text-muted')};
    transform: none;
  }

  .stop {
    background: ${token('color-surface-soft')};
    color: ${token('color-text')};
  }

  .stop:hover {
    background: ${token('color-border')};
  }

  p {
    margin: ${token('space-2')} ${token('space-3')} 0;
    color: ${token('color-text-muted')};
    font-size: 12px;
    line-height: 1.4;
    text-align: center;
    text-wrap: balance;
  }

  @media (pointer: coarse) {
    /* Below 16 px, phones zoom into a field that is touched. */
    textarea {
      font-size: max(16px, 1em);
      padding-block: 10px;
      min-block-size: 44px;
    }

    .act {
      inline-size: 44px;
      block-size: 44px;
    }

    form {
      border-radius: 28px;
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
