import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  .card {
    max-inline-size: 34rem;
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    font-size: ${token('font-size-small')};
    overflow: hidden;
  }

  .approval {
    border-color: ${token('color-border-strong')};
    box-shadow: ${token('shadow-raised')};
  }

  summary {
    display: flex;
    align-items: center;
    gap: ${token('space-2')};
    min-block-size: 40px;
    padding-inline: ${token('space-3')};
    cursor: pointer;
    list-style: none;
  }

  summary::-webkit-details-marker {
    display: none;
  }

  summary:hover {
    background: ${token('color-surface-soft')};
  }

  summary:focus-visible {
    outline-offset: -2px;
    border-radius: ${token('radius-medium')};
  }

  summary svg {
    inline-size: 17px;
    block-size: 17px;
    color: ${token('color-text-muted')};
  }

  .name,
  .state {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .name {
    flex: none;
    max-inline-size: 60%;
    font-weight: 550;
  }

  .state {
    min-inline-size: 0;
    margin-inline-start: auto;
    color: ${token('color-text-muted')};
  }

  .done .mark svg {
    color: ${token('color-success')};
  }

  .failed .mark svg,
  .failed .state {
    color: ${token('color-danger')};
  }

  .approval .mark svg,
  .approval .state {
    color: ${token('color-warning')};
  }

  .mark,
  .chevron {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 17px;
  }

  .chevron {
    transition: transform ${token('duration-fast')};
  }

  details[open] .chevron {
    transform: rotate(180deg);
  }

  .spinner {
    display: var(--inlay-live-display, block);
    inline-size: 15px;
    block-size: 15px;
    border: 2px solid ${token('color-border-strong')};
    border-block-start-color: ${token('color-accent-text')};
    border-radius: 50%;
    animation: turn 800ms linear infinite;
  }

  @keyframes turn {
    to {
      transform: rotate(360deg);
    }
  }

  .body {
    display: grid;
    gap: ${token('space-1')};
    padding: ${token('space-1')} ${token('space-3')} ${token('space-3')};
  }

  .label {
    color: ${token('color-text-muted')};
  }

  pre {
    max-block-size: 240px;
    margin: 0;
    padding: ${token('space-2')} ${token('space-3')};
    border-radius: ${token('radius-small')};
    background: ${token('color-surface-soft')};
    font-family: ${token('font-family-mono')};
    font-size: 12px;
    line-height: 1.5;
    overflow: auto;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    scrollbar-width: thin;
  }

  form,
  .ask {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: ${token('space-2')};
    padding: ${token('space-2')} ${token('space-3')} ${token('space-3')};
    border-block-start: 1px solid ${token('color-border')};
  }

  .question {
    flex: 1 1 14em;
    font-weight: 550;
  }

  .choices {
    display: flex;
    gap: ${token('space-2')};
  }

  input {
    flex: 1 1 12em;
    min-inline-size: 0;
    min-block-size: 32px;
    margin: 0;
    padding-inline: ${token('space-2')};
    border: 1px solid ${token('color-border-strong')};
    border-radius: ${token('radius-small')};
    background: ${token('color-surface')};
    color: inherit;
    font: inherit;
  }

  input::placeholder {
    color: ${token('color-text-muted')};
    opacity: 1;
  }

  @media (pointer: coarse) {
    summary,
    input {
      min-block-size: 44px;
    }

    input {
      font-size: 16px;
    }
  }
`;
