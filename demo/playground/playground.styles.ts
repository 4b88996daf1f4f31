import { css, unsafeCSS } from 'lit';

/** Media query of the layout with one column. */
export const oneColumn = '(max-width: 820px)';

/** Style sheet of the playground. It follows the `color-scheme` of the page. */
export const styles = css`
  :host {
    --surface: light-dark(#fff, #17181c);
    --raised: light-dark(#f6f7fa, #1e2025);
    --line: light-dark(#dfe2e9, #34373f);
    --control: light-dark(#858c9c, #747b8c);
    --text: light-dark(#1b1d24, #e7e9ee);
    --muted: light-dark(#5a6070, #a4aaba);
    --accent: light-dark(#3a53d0, #a3b3ff);
    --on-accent: light-dark(#fff, #12141c);
    --bad: light-dark(#b42323, #ff8d86);
    --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace;
    display: block;
    color: var(--text);
    font: 14px/1.5 ui-sans-serif, system-ui, 'Segoe UI', Roboto, sans-serif;
  }
  * {
    box-sizing: border-box;
  }
  p,
  figure,
  fieldset,
  pre {
    margin: 0;
    padding: 0;
    border: 0;
    min-inline-size: 0;
  }
  input,
  select,
  button {
    font: inherit;
    color: inherit;
  }
  :is(input, select, button, summary, pre):focus-visible,
  .choice label:has(:focus-visible) {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 12px 20px;
    align-items: center;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-inline-start: auto;
  }
  .plain {
    min-block-size: 34px;
    padding: 4px 12px;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--surface);
    font-weight: 550;
    cursor: pointer;
  }
  .plain:hover {
    border-color: var(--control);
  }
  .plain[aria-pressed='true'] {
    border-color: var(--accent);
    color: var(--accent);
  }
  .choice {
    display: flex;
    flex-wrap: wrap;
    gap: 2px;
    padding: 3px;
    border-radius: 10px;
    background: var(--raised);
    box-shadow: inset 0 0 0 1px var(--line);
  }
  .choice legend {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .choice label {
    position: relative;
    padding: 3px 11px;
    border-radius: 7px;
    color: var(--muted);
    font-weight: 550;
    white-space: nowrap;
    cursor: pointer;
  }
  .choice label:hover {
    color: var(--text);
  }
  .choice label:has(:checked) {
    background: var(--surface);
    color: var(--text);
    box-shadow:
      0 0 0 1px var(--line),
      0 1px 2px rgb(0 0 0 / 8%);
  }
  .choice input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .message {
    min-block-size: 28px;
    padding-block: 4px;
    color: var(--muted);
    font-size: 13px;
  }
  .notice {
    margin-block-end: 16px;
    padding: 10px 14px;
    border: 1px solid var(--line);
    border-inline-start: 3px solid var(--bad);
    border-radius: 8px;
    background: var(--raised);
    overflow-wrap: anywhere;
  }
  .columns {
    display: grid;
    grid-template: auto 1fr / minmax(260px, 360px) minmax(0, 1fr);
    gap: 20px 28px;
    align-items: start;
  }
  form {
    grid-row: span 2;
    position: sticky;
    inset-block-start: 80px;
    max-block-size: calc(100vh - 100px);
    overflow-y: auto;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--surface);
  }
  input[type='search'] {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    inline-size: 100%;
    padding: 11px 16px;
    border: 0;
    border-block-end: 1px solid var(--line);
    border-radius: 12px 12px 0 0;
    background: var(--surface);
    outline-offset: -2px;
  }
  ::placeholder {
    color: var(--muted);
    opacity: 1;
  }
  details + details {
    border-block-start: 1px solid var(--line);
  }
  summary {
    padding: 10px 16px;
    font-weight: 620;
    cursor: pointer;
    border-radius: 8px;
    outline-offset: -2px;
  }
  summary:hover {
    background: var(--raised);
  }
  .count {
    margin-inline-start: 8px;
    color: var(--accent);
    font-size: 12px;
    font-weight: 550;
  }
  details .hint {
    padding: 0 16px 10px;
  }
  .hint {
    color: var(--muted);
    font-size: 13px;
  }
  .field {
    display: grid;
    gap: 4px;
    padding: 4px 16px 14px;
  }
  .field label {
    font: 550 12.5px/1.4 var(--mono);
    overflow-wrap: anywhere;
  }
  .field :is(input[type='text'], select) {
    inline-size: 100%;
    min-block-size: 36px;
    padding: 5px 10px;
    border: 1px solid var(--control);
    border-radius: 8px;
    background: var(--surface);
    text-overflow: ellipsis;
  }
  .text {
    display: flex;
    gap: 6px;
  }
  .text [type='color'] {
    flex: none;
    inline-size: 40px;
    min-block-size: 36px;
    padding: 3px;
    border: 1px solid var(--control);
    border-radius: 8px;
    background: var(--surface);
    cursor: pointer;
  }
  .text ::-webkit-color-swatch {
    border: 1px solid var(--line);
    border-radius: 5px;
  }
  /* A striped swatch, because no colour is chosen yet. */
  .text .unset::-webkit-color-swatch {
    opacity: 0;
  }
  .text .unset {
    background: repeating-linear-gradient(45deg, var(--line) 0 4px, var(--surface) 4px 8px) content-box
      var(--surface);
  }
  .field [aria-invalid] {
    border-color: var(--bad);
  }
  .switch {
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: center;
  }
  .switch input {
    inline-size: 18px;
    block-size: 18px;
    margin: 3px;
    accent-color: var(--accent);
  }
  .help {
    grid-column: 1 / -1;
    color: var(--muted);
    font-size: 12.5px;
    line-height: 1.45;
    overflow-wrap: anywhere;
  }
  .help strong {
    color: var(--bad);
    font-weight: 550;
  }
  code {
    font-family: var(--mono);
    font-size: 0.94em;
  }
  .result {
    display: grid;
    gap: 20px;
    min-inline-size: 0;
  }
  .stage {
    padding: 20px;
    border: 1px solid var(--line);
    border-radius: 14px;
    background: var(--raised);
  }
  .widget:not(.floating) {
    block-size: 600px;
    margin-inline: auto;
    overflow: hidden;
    border: 1px solid var(--line);
    border-radius: 14px;
    background: var(--surface);
  }
  [data-size='phone'] .widget {
    max-inline-size: 375px;
  }
  [data-size='sidebar'] .widget {
    max-inline-size: 300px;
  }
  inlay-chat {
    display: block;
    block-size: 100%;
  }
  .inspector:empty {
    display: none;
  }
  .code {
    display: grid;
    gap: 12px;
  }
  .code .choice {
    justify-self: start;
    max-inline-size: 100%;
  }
  figure {
    overflow: hidden;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--surface);
  }
  figcaption {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding: 6px 8px 6px 16px;
    border-block-end: 1px solid var(--line);
    color: var(--muted);
    font-size: 13px;
  }
  pre {
    padding: 14px 16px;
    overflow-x: auto;
    font: 13px/1.6 var(--mono);
    tab-size: 2;
    outline-offset: -2px;
    border-radius: 0 0 12px 12px;
  }
  /* Space for the open panel of the launcher, which is 404 pixels wide. */
  @media (min-width: 1240px) {
    .with-launcher {
      margin-inline-end: 424px;
    }
    .with-launcher .columns {
      grid-template-columns: minmax(260px, 300px) minmax(0, 1fr);
    }
  }
  @media ${unsafeCSS(oneColumn)} {
    .columns {
      grid-template: none / minmax(0, 1fr);
    }
    form {
      grid-row: auto;
      position: static;
      max-block-size: none;
    }
    input[type='search'] {
      position: static;
    }
    .actions {
      margin-inline-start: 0;
    }
    .stage {
      padding: 10px;
    }
    .widget:not(.floating) {
      block-size: 540px;
    }
  }
  @media (pointer: coarse) {
    .choice label {
      padding-block: 8px;
    }
    .plain {
      min-block-size: 44px;
    }
    /* iOS zooms in on smaller text fields. */
    .field :is(input[type='text'], select),
    input[type='search'] {
      min-block-size: 44px;
      font-size: 16px;
    }
  }
  @media (forced-colors: active) {
    .choice label:has(:checked) {
      outline: 1px solid Highlight;
    }
  }
`;
