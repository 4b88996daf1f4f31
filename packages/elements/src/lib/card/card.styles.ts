import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  .card {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: ${token('space-4')};
    max-inline-size: 576px;
    margin: 0;
    padding: ${token('space-4')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-raised')};
    line-height: ${token('line-height')};
    overflow-wrap: anywhere;
    /* The agent's text must not paint outside of its card. */
    overflow: clip;
  }

  .card.open {
    box-shadow: ${token('shadow-raised')};
  }

  h3 {
    margin: 0;
    font-size: ${token('font-size-large')};
    font-weight: ${token('font-weight-strong')};
    line-height: ${token('line-height-tight')};
    text-wrap: balance;
  }

  inlay-chart:not(:defined) {
    display: block;
    block-size: 260px;
    border-radius: ${token('radius-small')};
    background: ${token('color-surface-soft')};
  }

  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: ${token('space-2')};
  }

  /* As in all forms, the main action is at the end. */
  .buttons:has(> .primary) {
    justify-content: flex-end;
  }

  .button {
    max-inline-size: 100%;
    min-block-size: calc(${token('control-size')} + 4px);
    padding-block: ${token('space-1')};
    padding-inline: ${token('space-4')};
    text-decoration: none;
  }

  .button.danger {
    border-color: ${token('color-danger')};
    color: ${token('color-danger')};
  }

  .button svg,
  .note svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
  }

  .sending :disabled:not(.chosen),
  .open .button:disabled {
    opacity: 0.5;
  }

  .answered .button:disabled.chosen {
    border-color: transparent;
    background: ${token('color-accent-soft')};
    color: ${token('color-accent-text')};
  }

  .spinner {
    flex: none;
    inline-size: 14px;
    block-size: 14px;
    border: 2px solid color-mix(in srgb, currentcolor 35%, transparent);
    border-block-start-color: currentcolor;
    border-radius: 50%;
    animation: turn calc(${token('duration-loop')} / 2) linear infinite;
  }

  @keyframes turn {
    to {
      transform: rotate(360deg);
    }
  }

  /* Lists */

  .list {
    display: grid;
    margin: 0;
    padding: 0;
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-small')};
    list-style: none;
    overflow: hidden;
  }

  li + li {
    border-block-start: 1px solid ${token('color-border')};
  }

  .item {
    display: flex;
    align-items: center;
    gap: ${token('space-3')};
    inline-size: 100%;
    min-block-size: 48px;
    padding: ${token('space-2')} ${token('space-3')};
    color: inherit;
    text-decoration: none;
    transition: background ${token('duration-fast')};
  }

  .item:focus-visible {
    outline-offset: -2px;
  }

  .item img {
    flex: none;
    inline-size: ${token('touch-size')};
    block-size: ${token('touch-size')};
    border-radius: ${token('radius-small')};
    background: ${token('color-surface-soft')};
    object-fit: cover;
  }

  .words {
    display: grid;
    flex: 1;
    min-inline-size: 0;
  }

  .name {
    font-weight: ${token('font-weight-medium')};
  }

  .more {
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .target {
    font-size: ${token('font-size-small')};
    overflow-wrap: anywhere;
  }

  .item svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    color: ${token('color-text-muted')};
  }

  .go:not(.out) svg {
    rotate: -90deg;
  }

  .go:not(.out):dir(rtl) svg {
    rotate: 90deg;
  }

  .go.out:dir(rtl) svg {
    scale: -1 1;
  }

  .item:disabled .go {
    visibility: hidden;
  }

  li.chosen {
    background: ${token('color-accent-soft')};
  }

  li.chosen .item,
  li.chosen svg {
    color: ${token('color-accent-text')};
  }

  .answered li:not(.chosen) .item:disabled {
    opacity: 0.6;
  }

  /* Tables */

  .table {
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-small')};
    overflow-x: auto;
    scrollbar-width: thin;
  }

  table {
    min-inline-size: 100%;
    border-collapse: collapse;
    font-size: ${token('font-size-small')};
    font-variant-numeric: tabular-nums;
  }

  :is(th, td) {
    min-inline-size: 64px;
    max-inline-size: min(320px, 48vw);
    padding: ${token('space-2')} ${token('space-3')};
    overflow-wrap: break-word;
    text-align: start;
    vertical-align: top;
  }

  th {
    background: ${token('color-surface-soft')};
    color: ${token('color-text-muted')};
    font-weight: ${token('font-weight-medium')};
    white-space: nowrap;
  }

  td {
    border-block-start: 1px solid ${token('color-border')};
  }

  :is(th, td).center {
    text-align: center;
  }

  :is(th, td).end {
    text-align: end;
    white-space: nowrap;
  }

  /* Images */

  figure {
    display: grid;
    gap: ${token('space-2')};
    margin: 0;
  }

  figcaption {
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  /* Status of the reply */

  .note {
    display: flex;
    align-items: flex-start;
    gap: ${token('space-1')};
    margin: 0;
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .note.sent svg {
    color: ${token('color-success')};
  }

  .note svg {
    margin-block-start: calc((1.45em - ${token('icon-size-small')}) / 2);
  }

  .note.unsent,
  .note.conflict {
    gap: ${token('space-2')};
    color: ${token('color-warning')};
  }

  @media (hover: hover) {
    :is(a, button).item:hover:not(:disabled) {
      background: ${token('color-surface-soft')};
    }
  }

  @media (pointer: coarse) {
    .button {
      min-block-size: ${token('touch-size')};
    }

    .item {
      min-block-size: 52px;
    }
  }

  @media (forced-colors: active) {
    li.chosen,
    .answered .button:disabled.chosen {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
