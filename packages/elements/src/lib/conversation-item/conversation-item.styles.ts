import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  .row {
    position: relative;
    display: flex;
    align-items: center;
    border-radius: ${token('radius-medium')};
  }

  .conversation {
    display: grid;
    flex: 1;
    min-inline-size: 0;
    padding: ${token('space-2')} ${token('space-3')};
    padding-inline-end: 40px;
    border-radius: inherit;
    line-height: ${token('line-height')};
  }

  /* An overflowing text is cut at its own end, and a short one is aligned with the row. */
  .title,
  .preview {
    text-align: match-parent;
  }

  .title {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  :host([current]) .row {
    background: ${token('color-surface-soft')};
  }

  :host([current]) .title {
    font-weight: ${token('font-weight-strong')};
  }

  .details {
    display: flex;
    overflow: hidden;
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
    white-space: nowrap;
  }

  time,
  b {
    flex: none;
  }

  b {
    color: ${token('color-accent-text')};
    font-weight: ${token('font-weight-medium')};
  }

  .preview {
    overflow: hidden;
    text-overflow: ellipsis;
  }

  :is(time, b)::after {
    content: '·';
    margin-inline: ${token('space-1')};
  }

  :is(time, b):last-child::after {
    content: none;
  }

  .more {
    position: absolute;
    inset-inline-end: ${token('space-1')};
  }

  .menu {
    position: absolute;
    /* Above the headings of the list. */
    z-index: 2;
    inset-block-start: calc(100% - ${token('space-1')});
    inset-inline-end: ${token('space-1')};
    inline-size: max-content;
  }

  .form {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: end;
    gap: ${token('space-2')};
    padding: ${token('space-3')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-soft')};
  }

  .button.danger {
    border-color: ${token('color-danger')};
    color: ${token('color-danger')};
  }

  p {
    flex-basis: 100%;
    margin: 0;
    overflow-wrap: anywhere;
  }

  #question {
    font-weight: ${token('font-weight-strong')};
  }

  #consequence {
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  input {
    flex: 1 1 100%;
    min-inline-size: 0;
    block-size: 36px;
    padding-inline: ${token('space-3')};
    border: 1px solid ${token('color-border-strong')};
    border-radius: ${token('radius-small')};
    background: ${token('color-surface')};
    color: ${token('color-text')};
    font: inherit;
  }

  @media (hover: hover) {
    .row:hover {
      background: ${token('color-surface-soft')};
    }

    .conversation {
      padding-inline-end: ${token('space-3')};
    }

    .row:is(:hover, :focus-within) .conversation {
      padding-inline-end: 40px;
    }

    .more {
      opacity: 0;
    }

    .row:hover .more,
    .more:focus-visible,
    .more[aria-expanded='true'] {
      opacity: 1;
    }
  }

  @media (pointer: coarse) {
    .conversation {
      padding-inline-end: 52px;
    }

    /* iOS zooms into focused fields with a font size below 16 px. */
    input {
      block-size: ${token('touch-size')};
      font-size: max(16px, 1em);
    }
  }

  @media (forced-colors: active) {
    :host([current]) .row {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
