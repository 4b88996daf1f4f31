import { type CSSResult, unsafeCSS } from 'lit';

/**
 * Every `--inlay-…` custom property and what it is where the page sets none. A value may refer to
 * another token as `{name}`, so that setting one colour moves those made from it.
 *
 * Nothing declares these properties: each use carries its default (see `token`). So a page sets
 * one at any level, on `inlay-chat`, on `:root`, in a media query, and the nearest wins, and a
 * thousand messages do not carry a copy of the table each.
 *
 * Light and dark are one value, `light-dark()`, which follows `color-scheme`.
 *
 * The colours derived from the accent hold their contrast for any accent: they are computed in
 * XYZ, whose Y is the relative luminance that WCAG 2.2 measures contrast with.
 */
export const tokens = {
  /** The one colour of the page's brand. By default the agent's, from its settings. */
  'color-accent': 'var(--inlay-agent-accent, light-dark(#3a53d0, #8fa3ff))',
  /** Behind an accented control that is pointed at. */
  'color-accent-hover': 'color-mix(in oklab, {color-accent} 88%, light-dark(#000, #fff))',
  /** A breath of accent: chosen and pointed-at things. */
  'color-accent-soft': 'color-mix(in oklab, {color-accent} 9%, {color-surface})',
  /** Black or white, whichever reads better: at a luminance of 0.179 both have 4.58:1. */
  'color-on-accent':
    'color(from {color-accent} xyz-d65 calc(clamp(0, (0.179 - y) * 100000, 1) * 0.9505) clamp(0, (0.179 - y) * 100000, 1) calc(clamp(0, (0.179 - y) * 100000, 1) * 1.089))',
  /** The accent as text: darkened on light, lightened on dark, until it has 4.5:1. */
  'color-accent-text':
    'light-dark(color(from {color-accent} xyz-d65 calc(x * min(1, 0.14 / y)) calc(y * min(1, 0.14 / y)) calc(z * min(1, 0.14 / y))), color(from {color-accent} xyz-d65 calc(x + (0.9505 - x) * max(0, (0.36 - y) / (1 - y))) calc(y + (1 - y) * max(0, (0.36 - y) / (1 - y))) calc(z + (1.089 - z) * max(0, (0.36 - y) / (1 - y)))))',
  /** Behind everything. */
  'color-surface': 'light-dark(#ffffff, #17181b)',
  /** Behind what the person said, code, and other quiet boxes. */
  'color-surface-soft': 'light-dark(#f4f4f6, #25272c)',
  /** Behind what floats: the composer, cards. */
  'color-surface-raised': 'light-dark(#ffffff, #1e2024)',
  'color-text': 'light-dark(#1b1c20, #ececef)',
  /** Second-rank text. */
  'color-text-muted': 'light-dark(#62646e, #a4a7b0)',
  /** Hairlines. */
  'color-border': 'light-dark(#e5e5ea, #32353b)',
  /** The edge of something to act on. */
  'color-border-strong': 'light-dark(#cfd0d8, #474b54)',
  'color-danger': 'light-dark(#b3261e, #ff9d95)',
  'color-warning': 'light-dark(#875200, #f2bf62)',
  'color-success': 'light-dark(#1c7440, #74d194)',

  'font-family':
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif',
  'font-family-mono':
    'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  'font-size': '15px',
  'font-size-small': '13px',
  'font-size-title': '22px',
  'line-height': '1.55',
  /** The longest line of an answer. */
  measure: '70ch',

  /** Four pixels, and multiples of them. */
  'space-1': '4px',
  'space-2': '8px',
  'space-3': '12px',
  'space-4': '16px',
  'space-5': '20px',
  'space-6': '24px',

  'radius-small': '8px',
  'radius-medium': '12px',
  'radius-large': '20px',
  'radius-full': '999px',

  'shadow-raised':
    '0 1px 2px light-dark(rgb(20 22 40 / 5%), rgb(0 0 0 / 30%)), 0 4px 16px light-dark(rgb(20 22 40 / 6%), rgb(0 0 0 / 22%))',
  'shadow-panel':
    '0 2px 8px light-dark(rgb(20 22 40 / 8%), rgb(0 0 0 / 40%)), 0 16px 48px light-dark(rgb(20 22 40 / 18%), rgb(0 0 0 / 50%))',

  'duration-fast': '120ms',
  duration: '220ms',
  easing: 'cubic-bezier(0.2, 0, 0, 1)',

  /** Diameter of the launcher's bubble. */
  'launcher-size': '56px',
  /** From the launcher to the edges of the window. */
  'launcher-offset': '20px',
  'panel-inline-size': '404px',
  'panel-block-size': '704px',
  /** Over the page's own content, under what a page puts on top on purpose. */
  'z-index': '2147483000',
} as const satisfies Record<string, string>;

export type TokenName = keyof typeof tokens;

function expand(name: TokenName): string {
  const value = tokens[name].replace(/\{([\w-]+)\}/g, (_, other: string) => {
    if (!Object.hasOwn(tokens, other))
      throw new Error(`The token ${name} names no token: ${other}`);
    return expand(other as TokenName);
  });
  return `var(--inlay-${name}, ${value})`;
}

/** A token for a style sheet: what the page has set, otherwise the default. */
export function token(name: TokenName): CSSResult {
  return unsafeCSS(expand(name));
}
