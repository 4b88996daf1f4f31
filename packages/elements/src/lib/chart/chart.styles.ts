import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    --accent: ${token('color-accent-text')};

    font-size: ${token('font-size-small')};
  }

  figure {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: ${token('space-3')};
    margin: 0;
  }

  /* Six hues derived from the accent, alternately light and dark, to be distinguishable in greyscale. */

  .c0 {
    color: var(--accent);
  }

  .c1 {
    color: light-dark(
      oklch(from var(--accent) 0.64 max(c, 0.12) calc(h + 150)),
      oklch(from var(--accent) 0.6 max(c, 0.1) calc(h + 150))
    );
  }

  .c2 {
    color: light-dark(
      oklch(from var(--accent) 0.42 max(c, 0.12) calc(h + 75)),
      oklch(from var(--accent) 0.86 max(c, 0.1) calc(h + 75))
    );
  }

  .c3 {
    color: light-dark(
      oklch(from var(--accent) 0.66 max(c, 0.12) calc(h + 215)),
      oklch(from var(--accent) 0.66 max(c, 0.1) calc(h + 215))
    );
  }

  .c4 {
    color: light-dark(
      oklch(from var(--accent) 0.36 max(c, 0.1) calc(h + 285)),
      oklch(from var(--accent) 0.9 max(c, 0.08) calc(h + 285))
    );
  }

  .c5 {
    color: light-dark(
      oklch(from var(--accent) 0.58 max(c, 0.12) calc(h + 330)),
      oklch(from var(--accent) 0.72 max(c, 0.1) calc(h + 330))
    );
  }

  .area {
    fill: currentcolor;
    stroke: none;
  }

  .pattern {
    stroke: none;
    pointer-events: none;
  }

  pattern path {
    fill: none;
    stroke: ${token('color-surface-raised')};
    stroke-linecap: butt;
    stroke-opacity: 0.55;
    stroke-width: 1.5;
  }

  pattern.dots path {
    stroke-linecap: round;
    stroke-width: 2.5;
  }

  .line {
    fill: none;
    stroke: currentcolor;
    stroke-width: 2;
  }

  .d1 {
    stroke-dasharray: 6 4;
  }

  .d2 {
    stroke-dasharray: 2 4;
  }

  .d3 {
    stroke-dasharray: 10 4 2 4;
  }

  .d4 {
    stroke-dasharray: 12 5;
  }

  .d5 {
    stroke-dasharray: 4 3;
  }

  .below {
    fill: currentcolor;
    fill-opacity: 0.1;
    stroke: none;
  }

  .point {
    fill: currentcolor;
    stroke: ${token('color-surface-raised')};
    stroke-width: 1.5;
  }

  .c5 > .point {
    stroke: currentcolor;
    stroke-width: 2;
  }

  .plot {
    direction: ltr;
    inline-size: 100%;
    block-size: 208px;
    overflow: visible;
  }

  text {
    fill: ${token('color-text-muted')};
    stroke: none;
    font-size: ${token('font-size-tiny')};
    font-variant-numeric: tabular-nums;
  }

  text.value {
    fill: ${token('color-text')};
    font-weight: ${token('font-weight-medium')};
  }

  .grid,
  .zero {
    stroke: ${token('color-border')};
    stroke-width: 1;
    shape-rendering: crispedges;
  }

  .zero {
    stroke: ${token('color-border-strong')};
  }

  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: ${token('space-1')} ${token('space-4')};
  }

  .legend li {
    display: flex;
    align-items: center;
    gap: 6px;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  .swatch {
    inline-size: 14px;
    block-size: 14px;
    overflow: visible;
  }

  /* Horizontal bars */

  .rows {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: ${token('space-3')};
  }

  /* Rows are subgrids, so that all bars have the same width. */
  .row {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    row-gap: ${token('space-1')};
    align-items: center;
  }

  .row .label {
    overflow-wrap: anywhere;
  }

  .row .value {
    justify-self: end;
    font-variant-numeric: tabular-nums;
    font-weight: ${token('font-weight-medium')};
  }

  .bar {
    grid-column: 1 / -1;
    inline-size: 100%;
    block-size: 12px;
  }

  .bar:dir(rtl) {
    scale: -1 1;
  }

  /* With several series, each value is beside its bar. */
  .row:has(.bar ~ .bar) > .label {
    grid-column: 1 / -1;
    font-weight: ${token('font-weight-medium')};
  }

  .row:has(.bar ~ .bar) > .bar {
    grid-column: 1;
  }

  .row:has(.bar ~ .bar) > .value {
    grid-column: 2;
    font-weight: inherit;
  }

  .row:has(.bar ~ .bar) {
    grid-auto-flow: dense;
  }

  .track {
    fill: ${token('color-surface-soft')};
    stroke: none;
  }

  /* Pies */

  .pie {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: ${token('space-4')} ${token('space-6')};
  }

  .ring {
    flex: 0 0 auto;
    inline-size: 168px;
    block-size: 168px;
    margin-inline: auto;
  }

  .ring .area {
    stroke: ${token('color-surface-raised')};
    stroke-width: 2;
  }

  .shares {
    display: grid;
    flex: 1 1 208px;
    grid-template-columns: 14px minmax(0, 1fr) auto auto;
    gap: ${token('space-2')};
  }

  .shares li {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    align-items: baseline;
    font-variant-numeric: tabular-nums;
  }

  .shares .swatch {
    align-self: center;
  }

  .name {
    overflow-wrap: anywhere;
  }

  .share {
    font-weight: ${token('font-weight-medium')};
  }

  .share,
  .amount {
    text-align: end;
  }

  .amount {
    color: ${token('color-text-muted')};
  }

  .empty {
    margin: 0;
    color: ${token('color-text-muted')};
  }

  /* Table of the numbers */

  summary {
    display: inline-flex;
    align-items: center;
    gap: ${token('space-1')};
    min-block-size: 28px;
    border-radius: ${token('radius-small')};
    color: ${token('color-text-muted')};
    cursor: pointer;
    list-style: none;
  }

  summary::-webkit-details-marker {
    display: none;
  }

  summary:hover {
    color: ${token('color-text')};
  }

  summary svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    transition: rotate ${token('duration-fast')};
  }

  details[open] summary svg {
    rotate: 180deg;
  }

  .numbers {
    max-block-size: 280px;
    margin-block-start: ${token('space-2')};
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-small')};
    overflow: auto;
    scrollbar-width: thin;
  }

  table {
    min-inline-size: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }

  :is(th, td) {
    padding: ${token('space-1')} ${token('space-3')};
    font-weight: inherit;
    text-align: end;
  }

  th[scope='row'] {
    text-align: start;
  }

  thead th {
    background: ${token('color-surface-soft')};
    color: ${token('color-text-muted')};
    font-weight: ${token('font-weight-medium')};
  }

  tbody tr {
    border-block-start: 1px solid ${token('color-border')};
  }

  @media (pointer: coarse) {
    summary {
      min-block-size: ${token('touch-size')};
    }
  }

  @media (forced-colors: active) {
    [class^='c'],
    .swatch,
    .bar {
      color: CanvasText;
    }

    pattern path,
    .point {
      stroke: Canvas;
      stroke-opacity: 1;
    }

    text,
    text.value {
      fill: CanvasText;
    }

    .track {
      fill: Canvas;
      stroke: CanvasText;
    }
  }
`;
