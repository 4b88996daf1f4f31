import { type CSSResult, unsafeCSS } from 'lit';
import {
  backgroundColor,
  blackOrWhite,
  borderColor,
  hoverColor,
  neutralColor,
  readableColor,
  tint,
} from './contrast.ts';

/** Slightly above the 4.5:1 of WCAG 2.2 AA; with more contrast, above the 7:1 of AAA. */
const aaContrast = { onLight: 4.7, onDark: 4.7, more: 2.6 };

/**
 * The `--inlay-…` custom properties with their defaults. A default may refer to another token as
 * `{name}`; setting that token changes the tokens derived from it.
 *
 * No style sheet declares these properties: each use contains its default (see `token`). So a page
 * can set one anywhere, on `inlay-chat`, on `:root`, on a part or in a media query; the nearest
 * applies, also to properties derived from it. The style sheet of a message therefore contains no copy
 * of the table.
 *
 * Colours for light and dark are one value, `light-dark()`, which follows `color-scheme`. Colours
 * that are derived from accent and surface need no such pair: see `contrast.ts`.
 *
 * The comments are the descriptions in the reference of the elements.
 */
export const tokens = {
  // Colours

  /** Colour of the brand. Defaults to the accent in the agent's settings. */
  'color-accent': 'var(--inlay-agent-accent, light-dark(#3a53d0, #8fa3ff))',
  /** Background of primary buttons on hover. */
  'color-accent-hover': hoverColor('{color-accent}'),
  /** Tinted background of selected items and of items on hover. */
  'color-accent-soft': tint('{color-accent}', 10),
  /** Text on the accent: black or white. */
  'color-on-accent': blackOrWhite('{color-accent}'),
  /** The accent as a text colour, for example of links. */
  'color-accent-text': readableColor('{color-accent}', aaContrast),
  /** Focus ring, and border of a focused text field. */
  'color-focus': '{color-accent-text}',
  /** Background of the chat. Any colour: text, borders and other backgrounds are derived from it. */
  'color-surface': 'light-dark(#ffffff, #17181b)',
  /** Background of code and secondary boxes. */
  'color-surface-soft': backgroundColor({ onLight: 0.12, onDark: 0.065 }),
  /** Background of floating surfaces: the composer, cards. */
  'color-surface-raised': backgroundColor({ onLight: 0, onDark: 0.03 }),
  /** Background of user messages. Any colour. */
  'color-bubble': '{color-surface-soft}',
  /** Text of user messages. */
  'color-on-bubble': neutralColor({ onLight: 14, onDark: 10.5, more: 6 }, '{color-bubble}'),
  /** Text. */
  'color-text': neutralColor({ onLight: 15.5, onDark: 12, more: 6 }),
  /** Secondary text. */
  'color-text-muted': neutralColor({ onLight: 5.2, onDark: 5.2, more: 2.4 }),
  /** Separators and borders of boxes. */
  'color-border': borderColor({ onLight: 1.24, onDark: 1.42, more: 2.6 }),
  /** Border of controls that are recognizable without it: the composer, buttons, chips. */
  'color-border-control': borderColor({ onLight: 1.42, onDark: 1.8, more: 2.6 }),
  /** Border of form fields and checkboxes, with a contrast of 3:1 to every background. */
  'color-border-strong': neutralColor({ onLight: 3.15, onDark: 3.15, more: 2.6 }),
  /** Text and icons of errors, and background of the unread badge. */
  'color-danger': readableColor('light-dark(#c2332a, #ff9d95)', {
    onLight: 4.6,
    onDark: 4.6,
    more: 2.4,
  }),
  /** Background of error messages. */
  'color-danger-soft': tint('{color-danger}', 8),
  /** Text and icons of warnings. */
  'color-warning': readableColor('light-dark(#8f5600, #f2bf62)', {
    onLight: 4.6,
    onDark: 4.6,
    more: 2.4,
  }),
  /** Background of warnings. */
  'color-warning-soft': tint('{color-warning}', 8),
  /** Text and icons of success. */
  'color-success': readableColor('light-dark(#1a7a43, #74d194)', {
    onLight: 4.6,
    onDark: 4.6,
    more: 2.4,
  }),

  /** Keywords in code. */
  'color-code-keyword': readableColor('light-dark(#7a35b5, #cba6f7)', aaContrast),
  /** Strings in code. */
  'color-code-string': readableColor('light-dark(#1a6a3c, #8fd6a5)', aaContrast),
  /** Numbers and other literals in code. */
  'color-code-number': readableColor('light-dark(#98430c, #f2b27c)', aaContrast),
  /** Names of functions and classes in code. */
  'color-code-title': readableColor('light-dark(#2350b5, #8fb7ff)', aaContrast),
  /** Types, attributes and properties in code. */
  'color-code-type': readableColor('light-dark(#0d6470, #7fd0da)', aaContrast),

  // Typography

  /** Typeface. To use the page's own: `inlay-chat { font-family: inherit }`. */
  'font-family':
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif',
  /** Typeface of code. */
  'font-family-mono':
    'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  /** Size of text. The other sizes are multiples of it. */
  'font-size': '15px',
  /** Size of notes below a message and of the disclaimer. */
  'font-size-tiny': 'calc({font-size} * 12 / 15)',
  /** Size of secondary text, and of text in buttons and cards. */
  'font-size-small': 'calc({font-size} * 13 / 15)',
  /** Size of headings within the conversation. */
  'font-size-large': 'calc({font-size} * 17 / 15)',
  /** Size of the greeting. */
  'font-size-title': 'calc({font-size} * 22 / 15)',
  /** Weight of names, buttons and labels. */
  'font-weight-medium': '550',
  /** Weight of headings and strong text. */
  'font-weight-strong': '650',
  /** Line height of paragraphs. */
  'line-height': '1.55',
  /** Line height of headings and single-line text. */
  'line-height-tight': '1.35',
  /** Maximum length of a line of an answer. */
  measure: '680px',

  // Space and size

  /** Factor of all spacing: 0.75 is compact, 1 cosy, 1.25 roomy. The attribute `density` sets it. */
  density: '1',
  /** Smallest step of spacing: 4 px at a density of 1. */
  'space-1': 'calc(4px * {density})',
  /** Gap between related items. */
  'space-2': 'calc(8px * {density})',
  /** Padding of small boxes. */
  'space-3': 'calc(12px * {density})',
  /** Padding of boxes and of the chat. */
  'space-4': 'calc(16px * {density})',
  /** Gap between messages. */
  'space-6': 'calc(24px * {density})',
  /** Height of buttons: 32 px at a density of 1. */
  'control-size': 'calc(24px + 8px * {density})',
  /** Height of buttons on touch screens. */
  'touch-size': '44px',
  /** Size of an icon without text. */
  'icon-size': '20px',
  /** Size of an icon beside text. */
  'icon-size-small': '16px',
  /** Maximum width of the column of messages. */
  'content-size': 'calc({measure} + 2 * {space-6})',

  // Avatars

  /** Width and height of the avatar beside an answer. 0px: no avatar, and no space for one. */
  'avatar-size': '0px',
  /** Avatar beside an answer, as a `background-image`: `url(…)` or a gradient. */
  'avatar-agent': 'none',
  /** Radius of the avatar. */
  'avatar-radius': '{radius-full}',

  // Shape

  /** Base radius, from which the other radii are derived. */
  radius: '12px',
  /** Radius of buttons and small boxes. */
  'radius-small': 'calc({radius} * 2 / 3)',
  /** Radius of cards, code and tables. */
  'radius-medium': '{radius}',
  /** Radius of message bubbles, banners and the panel. */
  'radius-large': 'calc({radius} * 5 / 3)',
  /** Radius of the composer. */
  'radius-field': 'calc({radius} * 2)',
  /** Radius of round shapes: the launcher's badge, the send button, chips. 0 if `radius` is 0px. */
  'radius-full': 'min({radius} * 100, 999px)',

  // Elevation

  /** Shadow of the composer and of cards that wait for an answer. */
  'shadow-raised':
    '0 1px 2px light-dark(rgb(20 22 40 / 5%), rgb(0 0 0 / 30%)), 0 4px 16px light-dark(rgb(20 22 40 / 6%), rgb(0 0 0 / 22%))',
  /** Shadow of the launcher and its panel. */
  'shadow-panel':
    '0 2px 8px light-dark(rgb(20 22 40 / 8%), rgb(0 0 0 / 40%)), 0 16px 48px light-dark(rgb(20 22 40 / 18%), rgb(0 0 0 / 50%))',

  // Motion

  /** Duration of answers to a press or a hover. */
  'duration-fast': '120ms',
  /** Duration of transitions when content appears, moves or disappears. */
  duration: '220ms',
  /** Duration of transitions of large surfaces, such as the launcher's panel. */
  'duration-slow': '280ms',
  /** Duration of one iteration of looping animations, such as the waiting indicator. */
  'duration-loop': '1600ms',
  /** Delay before a progress indicator appears. */
  delay: '600ms',
  /** Easing function of transitions. */
  easing: 'cubic-bezier(0.2, 0, 0, 1)',
  /** Duration and easing of a surface that arrives. */
  'motion-arrive': '{duration-slow} {easing}',
  /** Duration and easing of something that moves to another place. */
  'motion-settle': '{duration} cubic-bezier(0.4, 0, 0.2, 1)',
  /** Duration and easing of the answer to a press. */
  'motion-answer': '{duration-fast} ease-out',
  /** Duration and easing of a surface that leaves. */
  'motion-leave': '{duration} cubic-bezier(0.4, 0, 1, 1)',

  // Launcher

  /** Diameter of the launcher's bubble. */
  'launcher-size': '56px',
  /** Radius of the launcher's bubble. */
  'launcher-radius': '{radius-full}',
  /** Distance of the launcher from the edges of the window. */
  'launcher-offset': '20px',
  /** Distance of the launcher from the left or right edge of the window. */
  'launcher-offset-inline': '{launcher-offset}',
  /** Distance of the launcher from the top or bottom edge of the window. */
  'launcher-offset-block': '{launcher-offset}',
  /** Width of the launcher's panel. */
  'panel-inline-size': '404px',
  /** Height of the launcher's panel. */
  'panel-block-size': '704px',
  /** `z-index` of the launcher: near the maximum, so that a page can put content above it. */
  'z-index': '2147483000',

  // Contrast

  /** From 0, normal, to 1, more contrast. It is 1 with `prefers-contrast: more`. */
  contrast: '0',
} as const satisfies Record<string, string>;

export type TokenName = keyof typeof tokens;

const expanded = new Map<TokenName, string>();

function expand(name: TokenName): string {
  const cached = expanded.get(name);
  if (cached !== undefined) return cached;
  const value = tokens[name].replace(/\{([\w-]+)\}/g, (_, other: string) => {
    if (!Object.hasOwn(tokens, other))
      throw new Error(`The token ${name} refers to an unknown token: ${other}`);
    return expand(other as TokenName);
  });
  const reference = `var(--inlay-${name}, ${value})`;
  expanded.set(name, reference);
  return reference;
}

/** The value of a token for a style sheet: what the page sets, otherwise the default. */
export function token(name: TokenName): CSSResult {
  return unsafeCSS(expand(name));
}
