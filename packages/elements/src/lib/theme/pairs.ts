import type { TokenName } from './tokens.ts';

/** Each of the foregrounds is used on each of the backgrounds. */
interface ColorPairs {
  foregrounds: readonly TokenName[];
  backgrounds: readonly TokenName[];
  /** Minimum contrast ratio of WCAG 2.2: 4.5 for text, 3 for graphics and borders of controls. */
  minimum: 4.5 | 3;
}

/** The backgrounds of the conversation. */
const conversationBackgrounds: readonly TokenName[] = [
  'color-surface',
  'color-surface-raised',
  'color-surface-soft',
  'color-accent-soft',
  'color-warning-soft',
  'color-danger-soft',
];

/**
 * The colour pairs of all style sheets. Each keeps its minimum contrast with any accent and surface
 * that a page sets. Colours that are not listed as foregrounds are not used for text.
 */
export const pairs: readonly ColorPairs[] = [
  {
    foregrounds: [
      'color-text',
      'color-text-muted',
      'color-accent-text',
      'color-danger',
      'color-warning',
      'color-success',
    ],
    backgrounds: conversationBackgrounds,
    minimum: 4.5,
  },
  {
    foregrounds: ['color-border-strong', 'color-focus'],
    backgrounds: conversationBackgrounds,
    minimum: 3,
  },
  {
    foregrounds: [
      'color-code-keyword',
      'color-code-string',
      'color-code-number',
      'color-code-title',
      'color-code-type',
    ],
    backgrounds: ['color-surface', 'color-surface-soft'],
    minimum: 4.5,
  },
  {
    foregrounds: ['color-on-accent'],
    backgrounds: ['color-accent', 'color-accent-hover'],
    minimum: 4.5,
  },
  // The stop button.
  { foregrounds: ['color-surface'], backgrounds: ['color-text'], minimum: 4.5 },
  { foregrounds: ['color-on-bubble'], backgrounds: ['color-bubble'], minimum: 4.5 },
  // The launcher's badge.
  { foregrounds: ['color-surface'], backgrounds: ['color-danger'], minimum: 4.5 },
];
