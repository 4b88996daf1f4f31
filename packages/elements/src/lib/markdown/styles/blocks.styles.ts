import { css } from 'lit';
import { token } from '../../theme/tokens.ts';

/** Styles of code, tables and formulas, which scroll horizontally if they are too wide. */
export const blockStyles = css`
  /* The browser skips style, layout and paint of blocks that are far from the viewport. */
  .long > * {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 100px;
  }

  .code {
    overflow: hidden;
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    background: ${token('color-surface-soft')};
  }

  .code-header {
    display: flex;
    align-items: center;
    padding: ${token('space-1')} ${token('space-1')} 0 ${token('space-4')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
    line-height: 20px;
  }

  [part='code-language'] {
    flex: 1;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  :is(.copy, .wrap) {
    display: inline-flex;
    flex: none;
    align-items: center;
    gap: 6px;
    min-block-size: 28px;
    padding: ${token('space-1')} ${token('space-2')};
    border-radius: ${token('radius-small')};
  }

  .wrap[hidden] {
    display: none;
  }

  .code-header svg {
    inline-size: ${token('icon-size-small')};
    block-size: ${token('icon-size-small')};
    fill: none;
    stroke: currentcolor;
    stroke-width: 2.25;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .wrapped .wrap {
    color: ${token('color-accent-text')};
  }

  @media (hover: hover) {
    :is(.copy, .wrap):hover {
      background: ${token('color-surface')};
      color: ${token('color-text')};
    }
  }

  @media (pointer: coarse) {
    :is(.copy, .wrap) {
      min-block-size: 44px;
    }
  }

  pre {
    margin: 0;
    padding: ${token('space-2')} ${token('space-4')} ${token('space-4')};
    overflow-x: auto;
    overflow-wrap: normal;
    tab-size: 2;
    text-align: left;
    scrollbar-width: thin;
  }

  /* Fades the end while there is more to scroll to. Without overflow, the timeline is inactive. */
  @supports (animation-timeline: scroll()) {
    pre,
    .table {
      mask: linear-gradient(90deg, black calc(100% - 40px), transparent) no-repeat 0 0 / calc(100% + 40px);
      animation: to-end linear !important;
      animation-duration: auto !important;
      animation-timeline: scroll(self inline) !important;
    }

    :is(pre, .table):dir(rtl) {
      mask-image: linear-gradient(-90deg, black calc(100% - 40px), transparent);
      mask-position: 100% 0;
    }

    :is(pre, .table):focus-visible {
      mask: none;
    }
  }

  @keyframes to-end {
    from {
      mask-size: 100%;
    }
    80% {
      mask-size: 100%;
    }
  }

  pre:focus-visible {
    outline-offset: -3px;
  }

  .lines {
    display: block;
    min-inline-size: max-content;
    line-height: ${token('line-height')};
  }

  .wrapped .lines {
    min-inline-size: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .plain {
    white-space: pre-wrap;
  }

  .plain > .lines {
    min-inline-size: 0;
    line-height: inherit;
  }

  .lines .keyword {
    color: ${token('color-code-keyword')};
  }

  .lines .string {
    color: ${token('color-code-string')};
  }

  .lines .number {
    color: ${token('color-code-number')};
  }

  .lines .title {
    color: ${token('color-code-title')};
  }

  .lines .type {
    color: ${token('color-code-type')};
  }

  .lines .comment {
    color: ${token('color-text-muted')};
  }

  .lines .addition {
    color: ${token('color-success')};
  }

  .lines .deletion {
    color: ${token('color-danger')};
  }

  .table {
    max-inline-size: 100%;
    overflow-x: auto;
    border: 1px solid ${token('color-border')};
    border-radius: ${token('radius-medium')};
    scrollbar-width: thin;
  }

  table {
    min-inline-size: 100%;
    border-collapse: collapse;
    font-size: 0.95em;
    font-variant-numeric: tabular-nums;
  }

  :is(th, td) {
    min-inline-size: 72px;
    max-inline-size: 360px;
    padding: ${token('space-2')} ${token('space-3')};
    text-align: start;
    vertical-align: top;
    white-space: nowrap;
    overflow-wrap: break-word;
  }

  /* A table with a column of long text scrolls. Otherwise, the column would wrap after each word. */
  :is(th, td).long {
    min-inline-size: 18ch;
    white-space: normal;
  }

  th {
    background: ${token('color-surface-soft')};
    font-weight: ${token('font-weight-strong')};
  }

  td {
    border-block-start: 1px solid ${token('color-border')};
  }

  :is(th, td).left {
    text-align: left;
  }

  :is(th, td).center {
    text-align: center;
  }

  :is(th, td).right {
    text-align: right;
    white-space: nowrap;
  }

  /*
   * A formula could paint anywhere, so it is clipped to its box, in which it scrolls. Inline formulas
   * are flex containers, because an inline-block that scrolls has no baseline of its text. The padding
   * leaves space for slanted letters, which extend beyond their boxes.
   */
  .math:not(.display):has(> math) {
    display: inline-flex;
    max-inline-size: 100%;
    margin: calc(-1 * ${token('space-1')});
    padding: ${token('space-1')};
    overflow: auto hidden;
    scrollbar-width: thin;
  }

  .math > math {
    flex: none;
  }

  .math.display {
    display: block;
    padding-block: ${token('space-1')};
    overflow: auto hidden;
    text-align: center;
    scrollbar-width: thin;
  }

  .math.display > code {
    white-space: pre-wrap;
  }

  math {
    /* Fonts with a MATH table, without which brackets do not grow. */
    font-family: 'Cambria Math', 'STIX Two Math', 'Latin Modern Math',
      'DejaVu Math TeX Gyre', 'Noto Sans Math', math, serif;
    font-size: 1.08em;
    line-height: normal;
    text-indent: 0;
    direction: ltr;
  }

  .tml-right {
    text-align: right;
  }

  .tml-left {
    text-align: left;
  }

  @media (forced-colors: active) {
    .code,
    .table {
      border-color: CanvasText;
    }
  }
`;
