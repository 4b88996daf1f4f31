import { css } from 'lit';
import { token } from '../../theme/tokens.ts';

/** Styles of text. Spacing is in steps of 4 px. */
export const textStyles = css`
  :host {
    display: block;
    color: ${token('color-text')};
    overflow-wrap: anywhere;
    min-inline-size: 0;
    /* An answer neither paints nor receives clicks outside its box, except for focus rings. */
    clip-path: inset(-4px);
  }

  :host([hidden]) {
    display: none;
  }

  /* Not the last block while the text streams: words would move between the last lines as it grows. */
  [part='content'] > :not(:last-child),
  :host(:not([streaming])) [part='content'] {
    text-wrap-style: pretty;
  }

  *,
  ::before {
    box-sizing: border-box;
  }

  p,
  ul,
  ol,
  blockquote,
  details,
  hr,
  .code,
  .table,
  .plain,
  div.math {
    margin-block: 0 ${token('space-3')};
    margin-inline: 0;
  }

  p {
    unicode-bidi: plaintext;
  }

  :is(p, h3, h4, h5, h6) {
    white-space: pre-line;
  }

  /* Text has a readable line length, other blocks have the width of the column. */
  [part='content'] > :not(.code, .table, hr) {
    max-inline-size: ${token('measure')};
  }

  [part='content'] > :last-child,
  :is(blockquote, details) > :last-child,
  li > div > :last-child {
    margin-block-end: 0;
  }

  /* The text of right-to-left lists and quotes, and of cards, has their direction, whatever letter it starts with. */
  :is(p, h3, h4, h5, h6).one-direction,
  :host(.one-direction) :is(p, h3, h4, h5, h6),
  [dir='rtl'] :is(p, h3, h4, h5, h6) {
    unicode-bidi: isolate;
  }

  :host(.one-direction) [part='content'] > [dir]:not(.code, .math) {
    direction: inherit;
  }

  /* Headings */

  :is(h3, h4, h5, h6) {
    margin-block: ${token('space-6')} ${token('space-2')};
    font-size: 1em;
    font-weight: ${token('font-weight-strong')};
    line-height: ${token('line-height-tight')};
    text-wrap: balance;
    unicode-bidi: plaintext;
  }

  .level-1 {
    font-size: 1.45em;
    letter-spacing: -0.012em;
  }

  .level-2 {
    font-size: 1.25em;
    letter-spacing: -0.008em;
  }

  .level-3 {
    font-size: 1.1em;
  }

  :is(.level-5, .level-6) {
    color: ${token('color-text-muted')};
    font-size: 0.925em;
  }

  :is(h3, h4, h5, h6) + :is(h3, h4, h5, h6) {
    margin-block-start: ${token('space-3')};
  }

  [part='content'] > :is(h3, h4, h5, h6):first-child {
    margin-block-start: 0;
  }

  /* Lists. All items contain paragraphs, which have margins only in loose lists. */

  :is(ul, ol) {
    padding-inline-start: ${token('space-6')};
  }

  li {
    padding-inline-start: ${token('space-1')};
  }

  li::marker {
    color: ${token('color-text-muted')};
    font-variant-numeric: tabular-nums;
  }

  li + li {
    margin-block-start: ${token('space-1')};
  }

  li > div > :is(p, ul, ol) {
    margin-block-end: ${token('space-1')};
  }

  .loose > li + li {
    margin-block-start: ${token('space-3')};
  }

  .loose > li > div > p:not(:last-child) {
    margin-block-end: ${token('space-2')};
  }

  li > div > :is(.code, .table, blockquote) {
    margin-block: ${token('space-2')} ${token('space-3')};
  }

  .task {
    position: relative;
    list-style: none;
  }

  .task > input {
    appearance: none;
    position: absolute;
    font: inherit;
    inset-block-start: calc((1lh - 1em) / 2);
    inset-inline-start: -1.25em;
    inline-size: 1em;
    block-size: 1em;
    margin: 0;
    border: 1.5px solid ${token('color-text-muted')};
    border-radius: calc(${token('radius-small')} / 2);
  }

  .task > input:checked {
    border-color: ${token('color-accent')};
    background: ${token('color-accent')};
  }

  .task > input:checked::after {
    content: '';
    position: absolute;
    inset: 8% 32% 24%;
    border: solid ${token('color-on-accent')};
    border-width: 0 2px 2px 0;
    transform: rotate(42deg);
  }

  /* Inline elements */

  /* Arabic and Hebrew have no italics. */
  em:dir(rtl) {
    font-style: normal;
    font-weight: ${token('font-weight-medium')};
  }

  a {
    color: ${token('color-accent-text')};
    text-decoration: underline;
    text-decoration-color: color-mix(in srgb, currentcolor 40%, transparent);
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
    /* The direction of the text around a link must not reorder its text. */
    unicode-bidi: isolate;
  }

  /* The host of a link whose text contains another address. */
  .link-host {
    font-size: 0.9em;
    unicode-bidi: isolate;
  }

  a:hover {
    text-decoration-color: currentcolor;
  }

  a:focus-visible,
  [tabindex]:focus-visible,
  button:focus-visible,
  summary:focus-visible {
    outline: 2px solid ${token('color-focus')};
    outline-offset: 2px;
    border-radius: calc(${token('radius-small')} / 2);
  }

  strong {
    font-weight: ${token('font-weight-strong')};
  }

  del {
    color: ${token('color-text-muted')};
  }

  code {
    font-family: ${token('font-family-mono')};
    font-size: 0.9em;
    font-variant-ligatures: none;
  }

  [part='inline-code'] {
    padding: 0.1em 0.35em;
    border-radius: ${token('radius-small')};
    background: ${token('color-surface-soft')};
    box-decoration-break: clone;
    -webkit-box-decoration-break: clone;
    direction: ltr;
    unicode-bidi: isolate;
  }

  /* Blocks */

  blockquote {
    padding-inline-start: ${token('space-4')};
    border-inline-start: 3px solid ${token('color-border-strong')};
    color: ${token('color-text-muted')};
  }

  hr {
    margin-block: ${token('space-6')};
    border: 0;
    border-block-start: 1px solid ${token('color-border')};
  }

  @media (forced-colors: active) {
    .task > input,
    .task > input:checked {
      appearance: auto;
    }
  }

  @media print {
    /* If a box is printed on several pages, clip-path would hide all but the first page of it. */
    :host {
      overflow: clip;
      clip-path: none;
    }

    :is(.copy, .wrap, .note-back) {
      display: none;
    }
  }
`;
