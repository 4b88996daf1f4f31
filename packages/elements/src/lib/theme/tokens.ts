import { type CSSResult, unsafeCSS } from 'lit';
import { blackOrWhite, ground, line, neutral, readable, step, wash } from './contrast.ts';

/** A trace above the 4.5:1 of WCAG 2.2 AA, and above the 7:1 of AAA where more is asked for. */
const aa = { onLight: 4.7, onDark: 4.7, more: 2.6 };

/**
 * Every `--inlay-…` custom property and what it is where the page sets none. A value may refer to
 * another token as `{name}`, so that setting one moves those made from it.
 *
 * Nothing declares these properties: each use carries its default (see `token`). So a page sets
 * one at any level, on `inlay-chat`, on `:root`, on a part, in a media query, and the nearest wins,
 * also for what is made from it; and a thousand messages do not carry a copy of the table each.
 *
 * Light and dark are one value, `light-dark()`, which follows `color-scheme`. What is made of
 * accent and surface needs no such pair: see `contrast.ts`.
 *
 * The comments are the tables of docs/theming.md.
 */
export const tokens = {
  // Colours

  /** The one colour of the brand. Without it, the agent's, from its settings. */
  'color-accent': 'var(--inlay-agent-accent, light-dark(#3a53d0, #8fa3ff))',
  /** Behind an accented control that is pointed at. */
  'color-accent-hover': step('{color-accent}'),
  /** A breath of accent: what is chosen or pointed at. */
  'color-accent-soft': wash('{color-accent}', 10),
  /** Black or white, on the accent. */
  'color-on-accent': blackOrWhite('{color-accent}'),
  /** The accent as text, such as links. */
  'color-accent-text': readable('{color-accent}', aa),
  /** The ring around what has the focus, and the edge of the field that is written in. */
  'color-focus': '{color-accent-text}',
  /** Behind everything. Any colour: text, borders and the other grounds are made from it. */
  'color-surface': 'light-dark(#ffffff, #17181b)',
  /** Behind code and other quiet boxes. */
  'color-surface-soft': ground({ onLight: 0.12, onDark: 0.065 }),
  /** Background of floating surfaces: the composer, cards. */
  'color-surface-raised': ground({ onLight: 0, onDark: 0.03 }),
  /** Background of user messages. Any colour. */
  'color-bubble': '{color-surface-soft}',
  /** Text of user messages. */
  'color-on-bubble': neutral({ onLight: 14, onDark: 10.5, more: 6 }, '{color-bubble}'),
  /** Text. */
  'color-text': neutral({ onLight: 15.5, onDark: 12, more: 6 }),
  /** Secondary text. */
  'color-text-muted': neutral({ onLight: 5.2, onDark: 5.2, more: 2.4 }),
  /** Hairlines. */
  'color-border': line({ onLight: 1.24, onDark: 1.42, more: 2.6 }),
  /** The edge of what its words and its place name already: the composer, buttons, chips. */
  'color-border-control': line({ onLight: 1.42, onDark: 1.8, more: 2.6 }),
  /** The edge of a field or a box to tick: 3:1 on every ground. */
  'color-border-strong': neutral({ onLight: 3.15, onDark: 3.15, more: 2.6 }),
  /** Text and marks of what failed, and the count of what is unread. */
  'color-danger': readable('light-dark(#c2332a, #ff9d95)', {
    onLight: 4.6,
    onDark: 4.6,
    more: 2.4,
  }),
  /** Behind a notice of what failed. */
  'color-danger-soft': wash('{color-danger}', 8),
  /** Text and marks of what needs care. */
  'color-warning': readable('light-dark(#8f5600, #f2bf62)', {
    onLight: 4.6,
    onDark: 4.6,
    more: 2.4,
  }),
  /** Behind a notice of what needs care. */
  'color-warning-soft': wash('{color-warning}', 8),
  /** Text and marks of what went well. */
  'color-success': readable('light-dark(#1a7a43, #74d194)', {
    onLight: 4.6,
    onDark: 4.6,
    more: 2.4,
  }),

  /** Words of the language, in code. */
  'color-code-keyword': readable('light-dark(#7a35b5, #cba6f7)', aa),
  /** Texts in code. */
  'color-code-string': readable('light-dark(#1a6a3c, #8fd6a5)', aa),
  /** Numbers and other values in code. */
  'color-code-number': readable('light-dark(#98430c, #f2b27c)', aa),
  /** What code defines and calls. */
  'color-code-title': readable('light-dark(#2350b5, #8fb7ff)', aa),
  /** Types, attributes and properties in code. */
  'color-code-type': readable('light-dark(#0d6470, #7fd0da)', aa),

  // Type

  /** The typeface. To take the page's own: `inlay-chat { font-family: inherit }`. */
  'font-family':
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif',
  /** The typeface of code. */
  'font-family-mono':
    'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  /** Text. The other sizes are multiples of it. */
  'font-size': '15px',
  /** Notes below a message, the disclaimer. */
  'font-size-tiny': 'calc({font-size} * 12 / 15)',
  /** Second-rank text, buttons, cards. */
  'font-size-small': 'calc({font-size} * 13 / 15)',
  /** A heading within the conversation. */
  'font-size-large': 'calc({font-size} * 17 / 15)',
  /** The greeting. */
  'font-size-title': 'calc({font-size} * 22 / 15)',
  /** Names, buttons, labels. */
  'font-weight-medium': '550',
  /** Headings and emphasis. */
  'font-weight-strong': '650',
  /** Running text. */
  'line-height': '1.55',
  /** Headings and what stands on one line. */
  'line-height-tight': '1.35',
  /** The longest line of an answer. */
  measure: '70ch',

  // Space and size

  /** The room between things: 0.75 is compact, 1 cosy, 1.25 roomy. The attribute `density` sets it. */
  density: '1',
  /** The smallest step, 4 px where the density is 1. */
  'space-1': 'calc(4px * {density})',
  /** Between things that belong together. */
  'space-2': 'calc(8px * {density})',
  /** Within small boxes. */
  'space-3': 'calc(12px * {density})',
  /** Within boxes, and from the edge of a narrow chat. */
  'space-4': 'calc(16px * {density})',
  /** From the edge of a wide chat. */
  'space-5': 'calc(20px * {density})',
  /** Between messages. */
  'space-6': 'calc(24px * {density})',
  /** Height of a button; at a density of 1, 32 px. */
  'control-size': 'calc(24px + 8px * {density})',
  /** Height of a button where fingers press it. */
  'touch-size': '44px',
  /** An icon on its own. */
  'icon-size': '20px',
  /** An icon beside a word. */
  'icon-size-small': '16px',
  /** The widest column of messages. */
  'content-size': '768px',

  // Avatars

  /** Width and height of the picture beside an answer. 0px: there is none, and no room for one. */
  'avatar-size': '0px',
  /** The picture beside an answer, as a background: `url(…)` or a gradient. */
  'avatar-agent': 'none',
  /** How round it is. */
  'avatar-radius': '{radius-full}',

  // Shape

  /** The roundness from which the others are made. */
  radius: '12px',
  /** Buttons, small boxes. */
  'radius-small': 'calc({radius} * 2 / 3)',
  /** Cards, code, tables. */
  'radius-medium': '{radius}',
  /** Bubbles, banners, the panel. */
  'radius-large': 'calc({radius} * 5 / 3)',
  /** The composer. */
  'radius-field': 'calc({radius} * 2)',
  /** Radius of round shapes: the launcher's badge, the send button, chips. 0 if `radius` is 0px. */
  'radius-full': 'min({radius} * 100, 999px)',

  // Elevation

  /** What lies on the surface: the composer, a card that asks. */
  'shadow-raised':
    '0 1px 2px light-dark(rgb(20 22 40 / 5%), rgb(0 0 0 / 30%)), 0 4px 16px light-dark(rgb(20 22 40 / 6%), rgb(0 0 0 / 22%))',
  /** What floats over the page: the launcher and its panel. */
  'shadow-panel':
    '0 2px 8px light-dark(rgb(20 22 40 / 8%), rgb(0 0 0 / 40%)), 0 16px 48px light-dark(rgb(20 22 40 / 18%), rgb(0 0 0 / 50%))',

  // Motion

  /** A change of colour. */
  'duration-fast': '120ms',
  /** Something comes or goes. */
  duration: '220ms',
  /** One turn of what goes on and on: waiting, thinking. */
  'duration-loop': '1600ms',
  /** How long something has to last before it is worth a sign. */
  delay: '600ms',
  /** How things come to rest. */
  easing: 'cubic-bezier(0.2, 0, 0, 1)',

  // Launcher

  /** Diameter of the launcher's bubble. */
  'launcher-size': '56px',
  /** How round the launcher's bubble is. */
  'launcher-radius': '{radius-full}',
  /** From the launcher to the edges of the window. */
  'launcher-offset': '20px',
  /** The same to the sides of the window only. */
  'launcher-offset-inline': '{launcher-offset}',
  /** The same to its top and bottom only. */
  'launcher-offset-block': '{launcher-offset}',
  /** Width of the launcher's panel. */
  'panel-inline-size': '404px',
  /** Height of the launcher's panel. */
  'panel-block-size': '704px',
  /** Over the page's own content, under what a page puts on top on purpose. */
  'z-index': '2147483000',

  // Contrast

  /** 0 as usual, 1 for more. Where the user's system asks for more contrast, 1. */
  contrast: '0',
} as const satisfies Record<string, string>;

export type TokenName = keyof typeof tokens;

const expanded = new Map<TokenName, string>();

function expand(name: TokenName): string {
  const known = expanded.get(name);
  if (known !== undefined) return known;
  const value = tokens[name].replace(/\{([\w-]+)\}/g, (_, other: string) => {
    if (!Object.hasOwn(tokens, other))
      throw new Error(`The token ${name} names no token: ${other}`);
    return expand(other as TokenName);
  });
  const use = `var(--inlay-${name}, ${value})`;
  expanded.set(name, use);
  return use;
}

/** A token for a style sheet: what the page has set, otherwise the default. */
export function token(name: TokenName): CSSResult {
  return unsafeCSS(expand(name));
}
