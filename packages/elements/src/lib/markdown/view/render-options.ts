import type { Strings } from '../../i18n/strings.ts';

/** Options for rendering inline content. */
export interface RenderOptions {
  readonly imageOrigins: readonly string[];
  readonly strings: Strings;
  /** URLs of blocked images that the user has chosen to load. */
  readonly chosenImages: Set<string>;
  /** Returns the number of the footnote with a label. */
  readonly noteNumber?: (label: string) => number;
  /** Wraps a loaded image in the link that contains it. */
  readonly linkImage?: (image: HTMLElement) => HTMLElement;
  /** Called for each formula; if it returns false, the formula is shown as source. */
  readonly takeFormula?: () => boolean;
  /** Whether only text lengths are needed, so that formulas and code need not be rendered. */
  readonly lengthsOnly?: boolean;
}
