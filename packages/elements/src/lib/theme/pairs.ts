import type { TokenName } from './tokens.ts';

/** Foregrounds, and the grounds that each of them may stand on. */
interface Pairs {
  on: readonly TokenName[];
  /** The least contrast by WCAG 2.2: 4.5 for text, 3 for what is seen and not read. */
  minimum: 4.5 | 3;
  of: readonly TokenName[];
}

/** The grounds of the conversation. */
const grounds: readonly TokenName[] = [
  'color-surface',
  'color-surface-raised',
  'color-surface-soft',
  'color-accent-soft',
  'color-warning-soft',
  'color-danger-soft',
];

/**
 * What stands on what, in all our style sheets. Whatever accent and surface a page sets, each of
 * these pairs keeps its contrast; a colour that is not in here is not text.
 */
export const pairs: readonly Pairs[] = [
  {
    of: [
      'color-text',
      'color-text-muted',
      'color-accent-text',
      'color-danger',
      'color-warning',
      'color-success',
    ],
    on: grounds,
    minimum: 4.5,
  },
  { of: ['color-border-strong', 'color-focus'], on: grounds, minimum: 3 },
  {
    of: [
      'color-code-keyword',
      'color-code-string',
      'color-code-number',
      'color-code-title',
      'color-code-type',
    ],
    on: ['color-surface', 'color-surface-soft'],
    minimum: 4.5,
  },
  { of: ['color-on-accent'], on: ['color-accent', 'color-accent-hover'], minimum: 4.5 },
  { of: ['color-on-bubble'], on: ['color-bubble'], minimum: 4.5 },
  // The count on the launcher: the one place where a tone is behind the text.
  { of: ['color-surface'], on: ['color-danger'], minimum: 4.5 },
];
