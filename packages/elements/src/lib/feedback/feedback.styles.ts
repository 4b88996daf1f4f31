import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  .panel {
    display: grid;
    gap: ${token('space-3')};
    max-inline-size: 576px;
    padding: ${token('space-3')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    font-size: ${token('font-size-small')};
    animation: unfold ${token('duration')} ${token('easing')};
  }

  @keyframes unfold {
    from {
      opacity: 0;
      translate: 0 -4px;
    }
  }

  .title {
    font-weight: ${token('font-weight-strong')};
  }

  .reasons {
    display: flex;
    flex-wrap: wrap;
    gap: ${token('space-2')};
  }

  .reason {
    min-block-size: ${token('control-size')};
    padding-inline: ${token('space-3')};
    border: 1px solid ${token('color-border-control')};
    border-radius: ${token('radius-full')};
    transition: background ${token('duration-fast')}, border-color ${token('duration-fast')};
  }

  .reason[aria-pressed='true'] {
    border-color: ${token('color-focus')};
    background: ${token('color-accent-soft')};
    color: ${token('color-accent-text')};
    font-weight: ${token('font-weight-medium')};
  }

  textarea {
    inline-size: 100%;
    margin: 0;
    padding: ${token('space-2')} ${token('space-3')};
    border: 1px solid ${token('color-border-strong')};
    border-radius: ${token('radius-small')};
    background: ${token('color-surface')};
    color: inherit;
    font: inherit;
    line-height: ${token('line-height')};
    resize: vertical;
  }

  /* With dir=auto, an empty field would be left-to-right on every page. */
  textarea:placeholder-shown {
    direction: inherit;
  }

  textarea::placeholder {
    color: ${token('color-text-muted')};
    opacity: 1;
  }

  .choices {
    display: flex;
    justify-content: flex-end;
    gap: ${token('space-2')};
  }

  @media (hover: hover) {
    .reason:hover {
      background: ${token('color-surface-soft')};
    }

    .reason[aria-pressed='true']:hover {
      background: ${token('color-accent-soft')};
    }
  }

  @media (pointer: coarse) {
    .reason {
      min-block-size: ${token('touch-size')};
    }

    /* iOS zooms into focused fields with a font size below 16 px. */
    textarea {
      font-size: max(16px, 1em);
    }
  }

  @media (forced-colors: active) {
    .reason[aria-pressed='true'] {
      background: SelectedItem;
      color: SelectedItemText;
      forced-color-adjust: none;
    }
  }
`;
