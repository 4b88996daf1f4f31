import type { Strings } from '../../i18n/strings.ts';

/** What the page decides of how a text is written. */
export interface RenderOptions {
  readonly imageOrigins: readonly string[];
  readonly strings: Strings;
  /** Addresses of blocked pictures that the user has chosen to load. */
  readonly chosenImages: Set<string>;
  /** The number of the footnote with a label. */
  readonly noteNumber?: (label: string) => number;
  /** Makes a link of a picture that was loaded, where it stands in one. */
  readonly linkImage?: (image: HTMLElement) => HTMLElement;
  /** Whether one more formula may be drawn; `false` shows it as written. No limit by default. */
  readonly takeFormula?: () => boolean;
  /** Only the length of what is written is wanted: nothing is fetched for it. */
  readonly measured?: boolean;
}
