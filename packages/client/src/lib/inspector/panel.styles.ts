/** Style sheet of the panel. It follows the `color-scheme` of the page. */
export const styles = `
:host {
  all: initial;
  display: block;
  color-scheme: inherit;
  --surface: #fff; --raised: #f5f6f9; --line: #dfe2e9; --text: #1b1d24; --muted: #5a6070;
  --good: #1a7f4b; --warning: #9a5b00; --bad: #c02d2d; --neutral: #6b7283; --focus: #3a53d0;
}
@supports (color: light-dark(#000, #fff)) {
  :host {
    --surface: light-dark(#fff, #17181c); --raised: light-dark(#f5f6f9, #1f2126);
    --line: light-dark(#dfe2e9, #34373f); --text: light-dark(#1b1d24, #e7e9ee);
    --muted: light-dark(#5a6070, #a4aaba); --good: light-dark(#1a7f4b, #5bc98c);
    --warning: light-dark(#9a5b00, #e3ad58); --bad: light-dark(#c02d2d, #ff8d86);
    --neutral: light-dark(#6b7283, #8f96a7); --focus: light-dark(#3a53d0, #a3b3ff);
  }
}
:host([hidden]) { display: none; }
:host([data-docked]) {
  position: fixed; inset: auto auto 16px 16px; z-index: 2147483000;
  inline-size: min(680px, calc(100vw - 32px));
}
* { box-sizing: border-box; }
.panel {
  display: flex; flex-direction: column; container-type: inline-size;
  block-size: min(420px, 70vh); overflow: hidden;
  font: 12.5px/1.45 ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif;
  color: var(--text); background: var(--surface);
  border: 1px solid var(--line); border-radius: 10px;
  text-align: start;
}
:host([data-docked]) .panel { box-shadow: 0 8px 32px rgb(0 0 0 / 22%); }
.panel[data-collapsed] { block-size: auto; }
.panel[data-collapsed] :is(.filters, .strip, .scroller, .note) { display: none; }
.header {
  display: flex; align-items: center; gap: 6px;
  padding: 6px 8px 6px 12px; border-block-end: 1px solid var(--line); background: var(--raised);
}
.panel[data-collapsed] .header { border: 0; }
h2 { margin: 0 auto 0 0; font: inherit; font-weight: 650; white-space: nowrap; }
h2 small { margin-inline-start: 6px; font-size: 11.5px; font-weight: 400; color: var(--muted); }
button {
  min-block-size: 28px; padding: 2px 9px; border: 1px solid transparent; border-radius: 6px;
  font: inherit; color: inherit; background: none; cursor: pointer; white-space: nowrap;
}
button.icon { display: inline-flex; align-items: center; justify-content: center; min-inline-size: 28px; padding: 0; }
.icon svg { inline-size: 14px; block-size: 14px; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
[aria-expanded="false"] svg { rotate: 180deg; }
button:hover { background: color-mix(in srgb, var(--text) 8%, transparent); }
button[aria-pressed="true"] {
  border-color: var(--line); background: var(--surface); font-weight: 600;
  box-shadow: 0 1px 2px rgb(0 0 0 / 6%);
}
:is(button, .scroller):focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; }
.filters {
  display: flex; flex-wrap: wrap; align-items: center; gap: 2px; padding: 5px 8px;
  border-block-end: 1px solid var(--line);
}
.filters .count { color: var(--muted); font-variant-numeric: tabular-nums; font-weight: 400; }
output { margin-inline-start: auto; padding-inline: 6px; color: var(--muted); }
.strip {
  display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 3px 10px; align-items: center;
  padding: 8px 12px; border-block-end: 1px solid var(--line);
}
.strip .name { color: var(--muted); font-size: 11.5px; }
.strip .state { font-size: 11.5px; font-variant-numeric: tabular-nums; text-align: end; white-space: nowrap; }
.strip .state[data-tone="good"] { color: var(--good); }
.strip .state[data-tone="warning"] { color: var(--warning); }
.strip .state[data-tone="bad"] { color: var(--bad); }
.track { position: relative; block-size: 12px; border-radius: 3px; background: var(--raised); overflow: hidden; }
.track i { position: absolute; inset-block: 0; inline-size: 2px; margin-inline-start: -1px; background: var(--neutral); }
.track i.bar { inset-block: 3px; margin: 0; min-inline-size: 2px; border-radius: 3px; opacity: .35; }
.track [data-tone="good"] { background: var(--good); }
.track [data-tone="warning"] { background: var(--warning); }
.track [data-tone="bad"] { background: var(--bad); inline-size: 3px; }
.track i.bar { inline-size: auto; }
.scroller { flex: 1; min-block-size: 0; overflow: auto; overscroll-behavior: contain; }
[role="table"] { font-variant-numeric: tabular-nums; }
/* A sticky element stays within its parent box. Without a box for the rowgroup, that is the table. */
[role="rowgroup"] { display: contents; }
[role="row"] {
  display: grid; grid-template-columns: 66px 68px minmax(0, 1.2fr) minmax(0, 1fr);
  gap: 0 10px; padding: 3px 12px; align-items: baseline;
}
[role="row"]:not(.head):nth-child(even) { background: color-mix(in srgb, var(--raised) 60%, transparent); }
.head {
  position: sticky; inset-block-start: 0; z-index: 1; background: var(--surface);
  border-block-end: 1px solid var(--line); color: var(--muted); font-size: 11.5px;
}
[role="row"] > * { min-inline-size: 0; overflow-wrap: anywhere; }
.time, .lane { color: var(--muted); white-space: nowrap; }
.lane::before {
  content: ""; display: inline-block; inline-size: 7px; block-size: 7px; margin-inline-end: 6px;
  border-radius: 50%; background: var(--neutral);
}
[data-tone="good"] > .lane::before { background: var(--good); }
[data-tone="warning"] > .lane::before { background: var(--warning); }
[data-tone="bad"] > .lane::before { background: var(--bad); border-radius: 1px; }
.title { font-weight: 550; }
[data-tone="bad"] > .title { color: var(--bad); }
[data-tone="warning"] > .title { color: var(--warning); }
.detail { color: var(--muted); }
.empty { padding: 28px 16px; text-align: center; color: var(--muted); }
.note { padding: 5px 12px; border-block-start: 1px solid var(--line); color: var(--muted); font-size: 11.5px; }
[hidden] { display: none !important; }
@container (max-width: 520px) {
  [role="row"] { grid-template-columns: 72px minmax(0, 1fr); padding-block: 5px; }
  [role="row"] > :is(.lane, .detail) { grid-row: 2; font-size: 11.5px; }
  .head > :is(.kind, .detail) { display: none; }
  .header { gap: 2px; padding-inline: 10px 6px; }
  :is(.header, .filters) button { padding-inline: 7px; }
  :is(h2 small, .long) { display: none; }
}
@media (max-width: 520px) {
  :host([data-docked]) { inset: auto 0 0 0; inline-size: 100%; }
  :host([data-docked]) .panel { border-inline: 0; border-end-start-radius: 0; border-end-end-radius: 0; block-size: min(360px, 50vh); }
  :host([data-docked]) .panel[data-collapsed] { block-size: auto; }
}
@media (pointer: coarse) { button { min-block-size: 36px; } button.icon { min-inline-size: 36px; } }
@media (forced-colors: active) {
  .track i, .lane::before { background: CanvasText; }
  button[aria-pressed="true"] { border-color: Highlight; }
}
`;
