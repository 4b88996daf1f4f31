import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    container-type: inline-size;
  }

  .card {
    max-inline-size: 576px;
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    font-size: ${token('font-size-small')};
    line-height: ${token('line-height')};
    overflow: hidden;
  }

  .approval {
    border-color: ${token('color-border-control')};
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
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    color: ${token('color-text-muted')};
  }

  .name {
    flex: 0 1 auto;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-weight: ${token('font-weight-medium')};
  }

  .state {
    flex: none;
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
    animation: turn calc(${token('duration-loop')} / 2) linear infinite;
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

  .body > .label:not(:first-child) {
    margin-block-start: ${token('space-2')};
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
    font-size: ${token('font-size-tiny')};
    line-height: ${token('line-height')};
    overflow: auto;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    scrollbar-width: thin;
  }

  .body p {
    margin: 0;
  }

  .took {
    flex: none;
    color: ${token('color-text-muted')};
    font-variant-numeric: tabular-nums;
  }

  .took::before {
    content: '·';
    margin-inline-end: ${token('space-2')};
  }

  .input {
    max-block-size: 320px;
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-small')};
    overflow-y: auto;
    scrollbar-width: thin;
  }

  /* A fade shows that there is more below, where scroll bars are hidden. */
  .input[data-unread]::after {
    content: '';
    display: block;
    position: sticky;
    inset-block-end: 0;
    block-size: 40px;
    margin-block-start: -40px;
    background: linear-gradient(transparent, ${token('color-surface-raised')});
    pointer-events: none;
  }

  .unread-note {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: ${token('space-2')};
    color: ${token('color-text-muted')};
  }

  .exact {
    font-family: ${token('font-family-mono')};
    font-size: ${token('font-size-tiny')};
  }

  .undeclared {
    display: block;
    color: ${token('color-warning')};
    font-size: ${token('font-size-tiny')};
  }

  dl {
    margin: 0;
  }

  dl > div {
    display: grid;
    grid-template-columns: minmax(72px, 30%) minmax(0, 1fr);
    gap: ${token('space-1')} ${token('space-3')};
    padding: ${token('space-2')} ${token('space-3')};
  }

  dl > .long {
    grid-template-columns: minmax(0, 1fr);
    gap: 0;
  }

  dl > div + div {
    border-block-start: 1px solid ${token('color-border')};
  }

  dt {
    color: ${token('color-text-muted')};
    overflow-wrap: anywhere;
  }

  dd {
    min-inline-size: 0;
    margin: 0;
    overflow-wrap: anywhere;
  }

  .value {
    white-space: pre-wrap;
  }

  dd code {
    display: block;
    font-family: ${token('font-family-mono')};
    font-size: ${token('font-size-tiny')};
    line-height: ${token('line-height')};
    white-space: pre-wrap;
  }

  .nothing {
    margin: 0;
    color: ${token('color-text-muted')};
  }

  p.nothing {
    padding: ${token('space-2')} ${token('space-3')};
  }

  .ask {
    display: grid;
    gap: ${token('space-3')};
    padding: ${token('space-3')} ${token('space-4')} ${token('space-4')};
  }

  .ask p {
    margin: 0;
  }

  .eyebrow {
    display: flex;
    align-items: center;
    gap: ${token('space-2')};
    color: ${token('color-text-muted')};
  }

  .eyebrow svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    color: ${token('color-warning')};
  }

  .eyebrow .state {
    flex: none;
    margin: 0;
    color: ${token('color-warning')};
    font-weight: ${token('font-weight-medium')};
  }

  .eyebrow .name {
    margin-inline-start: auto;
    font-weight: normal;
  }

  .question {
    font-size: ${token('font-size')};
    font-weight: ${token('font-weight-strong')};
    line-height: ${token('line-height')};
    overflow-wrap: anywhere;
    text-wrap: pretty;
  }

  .changed {
    display: flex;
    gap: ${token('space-2')};
    color: ${token('color-warning')};
  }

  .changed svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    margin-block-start: calc((${token('line-height')} * 1em - ${token('icon-size-small')}) / 2);
  }

  form {
    display: flex;
    flex-wrap: wrap;
    gap: ${token('space-2')};
  }

  .choices {
    display: flex;
    justify-content: flex-end;
    gap: ${token('space-2')};
    margin-inline-start: auto;
  }

  .button.danger {
    border-color: ${token('color-danger')};
    color: ${token('color-danger')};
  }

  .button:disabled {
    opacity: 0.5;
  }

  .decision {
    margin: 0;
    padding: ${token('space-2')} ${token('space-3')};
    border-block-start: 1px solid ${token('color-border')};
    color: ${token('color-text-muted')};
    overflow-wrap: anywhere;
  }

  input {
    flex: 1 1 12em;
    min-inline-size: 0;
    min-block-size: ${token('control-size')};
    margin: 0;
    padding-inline: ${token('space-2')};
    border: 1px solid ${token('color-border-strong')};
    border-radius: ${token('radius-small')};
    background: ${token('color-surface')};
    color: inherit;
    font: inherit;
  }

  /* With dir=auto, an empty field would be left-to-right on every page. */
  input:placeholder-shown {
    direction: inherit;
  }

  input::placeholder {
    color: ${token('color-text-muted')};
    opacity: 1;
  }

  @container (max-inline-size: 352px) {
    dl > div {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
  }

  @media (pointer: coarse) {
    summary,
    input {
      min-block-size: ${token('touch-size')};
    }

    input {
      font-size: max(16px, 1em);
    }
  }
`;
